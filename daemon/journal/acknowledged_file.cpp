// SPDX-License-Identifier: Apache-2.0
#include "journal/acknowledged_file.hpp"

#include <fcntl.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>
#include <utility>

#include "journal/checksum.hpp"
#include "os/files.hpp"

namespace actord::journal {

namespace {

constexpr std::uint64_t magic = 0x314b43414a434141;  // "AACJACK1"

struct Image {
  std::uint64_t magic = journal::magic;
  AcknowledgedFile::Record record;
  std::uint64_t checksum = 0;
};

std::uint64_t checksum_of(const Image& image) {
  return Checksum{}
      .add(image.magic)
      .add(static_cast<std::uint64_t>(image.record.identity))
      .add(static_cast<std::uint64_t>(image.record.last_row))
      .add(image.record.boot)
      .value();
}

}  // namespace

base::Result<AcknowledgedFile, os::SystemError> AcknowledgedFile::open(const std::string& path) {
  os::Descriptor file(::open(path.c_str(), O_RDWR | O_CREAT | O_CLOEXEC | O_NOFOLLOW, 0600));
  if (file.get() < 0) return os::system_error("cannot open " + path, errno);
  return AcknowledgedFile(std::move(file));
}

std::optional<AcknowledgedFile::Record> AcknowledgedFile::read() const {
  Image image;
  if (::pread(file_.get(), &image, sizeof image, 0) != sizeof image || image.magic != magic ||
      image.checksum != checksum_of(image))
    return std::nullopt;
  return image.record;
}

bool AcknowledgedFile::write(const Record& record) noexcept {
  Image image{magic, record, 0};
  image.checksum = checksum_of(image);
  return ::pwrite(file_.get(), &image, sizeof image, 0) == sizeof image;
}

std::uint64_t this_boot() {
  const auto id = os::read_file("/proc/sys/kernel/random/boot_id", 64);
  return id ? Checksum{}.add(std::string_view{*id}).value() : 0;
}

}  // namespace actord::journal
