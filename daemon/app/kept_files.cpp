// SPDX-License-Identifier: Apache-2.0
#include "app/kept_files.hpp"

#include <filesystem>
#include <set>

#include "config/configuration.hpp"
#include "os/files.hpp"

namespace actord::app {

namespace fs = std::filesystem;

base::Result<void, std::string> keep_files(const config::Configuration& configuration) {
  const fs::path state = configuration.settings.state_directory;
  const fs::path kept = state / kept_folder, next = kept.string() + ".new",
                 former = kept.string() + ".old";
  std::error_code error;
  const auto failed = [&](const fs::path& what) {
    return what.string() + " cannot be written: " + error.message();
  };
  fs::remove_all(next, error);
  const std::vector<std::string> read = config::files_read(configuration);
  const std::set<std::string, std::less<>> names(read.begin(), read.end());
  const hocon::SourceFiles& sources = configuration.settings.tree.sources();
  for (std::uint32_t file = 1; file <= sources.size(); ++file) {
    if (!names.contains(sources[file].name)) continue;
    const fs::path to =
        next / fs::absolute(sources[file].name, error).lexically_normal().relative_path();
    fs::create_directories(to.parent_path(), error);
    if (error) return failed(to.parent_path());
    if (const auto written = os::write_private_file(to, sources[file].text); !written)
      return written.error().what;
  }
  if (read.empty()) return {};
  fs::permissions(next, fs::perms::owner_all, error);
  // At each moment one of the two is there.
  fs::remove_all(former, error);
  fs::rename(kept, former, error);
  fs::rename(next, kept, error);
  if (error) return failed(kept);
  fs::remove_all(former, error);
  return {};
}

}  // namespace actord::app
