// SPDX-License-Identifier: Apache-2.0

#include "download.hpp"

#include <curl/curl.h>

#include <algorithm>
#include <stdexcept>
#include <string_view>

namespace crawler {
namespace {

// An unwanted body is read up to this size, so that the connection can be used again.
constexpr std::size_t unwanted_bytes_max = 64 << 10;
constexpr long connect_timeout_ms_max = 5000;

std::string lower(std::string_view text) {
  std::string out{text};
  for (char& c : out) {
    if (c >= 'A' && c <= 'Z') c = static_cast<char>(c - 'A' + 'a');
  }
  return out;
}

std::string_view trimmed(std::string_view text) {
  constexpr std::string_view blanks = " \t\r\n\"'";
  const std::size_t first = text.find_first_not_of(blanks);
  if (first == std::string_view::npos) return {};
  return text.substr(first, text.find_last_not_of(blanks) - first + 1);
}

// Loopback addresses never use the proxy of the environment, with any no_proxy.
bool is_loopback(std::string_view url) {
  const std::size_t mark = url.find("://");
  if (mark == std::string_view::npos) return false;
  const std::string_view host = url.substr(mark + 3);
  return host.starts_with("127.") || host.starts_with("localhost") || host.starts_with("[::1]");
}

}  // namespace

bool Answer::is_html() const {
  return content_type == "text/html" || content_type == "application/xhtml+xml";
}

struct Downloader::Handle {
  CURL* curl = curl_easy_init();
  char error[CURL_ERROR_SIZE] = {};

  Handle() {
    if (curl == nullptr) throw std::runtime_error("libcurl returned no handle");
  }
  ~Handle() { curl_easy_cleanup(curl); }
  Handle(const Handle&) = delete;
  Handle& operator=(const Handle&) = delete;
};

// An answer that is being received. It reads the head when the body begins, and stops the transfer
// of an unwanted body.
class Downloader::Transfer {
 public:
  Transfer(CURL* curl, std::size_t body_bytes_max) : curl_(curl), body_bytes_max_(body_bytes_max) {}

  static std::size_t on_body(char* data, std::size_t, std::size_t size, void* transfer) {
    return static_cast<Transfer*>(transfer)->accept({data, size}) ? size : 0;
  }
  Answer finish(CURLcode code, const char* error) {
    read_head();
    if (code == CURLE_OK || was_cut_) return std::move(answer_);
    answer_.outcome = code == CURLE_OPERATION_TIMEDOUT ? Answer::Outcome::timed_out
                                                       : Answer::Outcome::connection_lost;
    answer_.problem = *error != '\0' ? error : curl_easy_strerror(code);
    answer_.body.clear();
    return std::move(answer_);
  }

 private:
  bool accept(std::string_view data) {
    read_head();
    const bool is_wanted = answer_.status >= 200 && answer_.status < 300 && answer_.is_html();
    received_ += data.size();
    if (received_ > (is_wanted ? body_bytes_max_ : unwanted_bytes_max)) {
      was_cut_ = true;
      if (is_wanted) answer_.outcome = Answer::Outcome::too_large;
      answer_.body.clear();
      return false;
    }
    if (is_wanted) {
      if (answer_.body.empty()) reserve_body();
      answer_.body += data;
    }
    return true;
  }
  void reserve_body() {
    curl_off_t size = 0;
    if (curl_easy_getinfo(curl_, CURLINFO_CONTENT_LENGTH_DOWNLOAD_T, &size) == CURLE_OK && size > 0)
      answer_.body.reserve(std::min(static_cast<std::size_t>(size), body_bytes_max_));
  }
  void read_head() {
    if (answer_.status != 0) return;
    curl_easy_getinfo(curl_, CURLINFO_RESPONSE_CODE, &answer_.status);
    const char* text = nullptr;
    if (curl_easy_getinfo(curl_, CURLINFO_CONTENT_TYPE, &text) == CURLE_OK && text != nullptr)
      read_type(text);
    curl_header* target = nullptr;
    const bool is_redirect = answer_.status >= 300 && answer_.status < 400;
    if (is_redirect &&
        curl_easy_header(curl_, "Location", 0, CURLH_HEADER, -1, &target) == CURLHE_OK) {
      answer_.location = target->value;
    }
  }
  void read_type(std::string_view text) {
    const std::size_t parameters = text.find(';');
    answer_.content_type = lower(trimmed(text.substr(0, parameters)));
    if (parameters == std::string_view::npos) return;
    const std::string tail = lower(text.substr(parameters + 1));
    const std::size_t at = tail.find("charset=");
    if (at == std::string::npos) return;
    const std::string_view value = std::string_view{tail}.substr(at + 8);
    answer_.charset = trimmed(value.substr(0, value.find(';')));
  }

  CURL* curl_;
  std::size_t body_bytes_max_;
  std::size_t received_ = 0;
  bool was_cut_ = false;
  Answer answer_;
};

Downloader::Downloader(const DownloadSettings& settings) : settings_(settings) {
  // Initialises libcurl once per process. The function-local static makes that safe for threads.
  [[maybe_unused]] static const CURLcode is_ready = curl_global_init(CURL_GLOBAL_DEFAULT);
  handle_ = std::make_unique<Handle>();
  CURL* const curl = handle_->curl;
  const long timeout_ms = static_cast<long>(settings.timeout.count());
  curl_easy_setopt(curl, CURLOPT_ERRORBUFFER, handle_->error);
  curl_easy_setopt(curl, CURLOPT_NOSIGNAL, 1L);  // signals are not safe with threads
  curl_easy_setopt(curl, CURLOPT_PROTOCOLS_STR, "http,https");
  curl_easy_setopt(curl, CURLOPT_FOLLOWLOCATION, 0L);
  curl_easy_setopt(curl, CURLOPT_TIMEOUT_MS, timeout_ms);
  curl_easy_setopt(curl, CURLOPT_CONNECTTIMEOUT_MS, std::min(timeout_ms, connect_timeout_ms_max));
  curl_easy_setopt(curl, CURLOPT_ACCEPT_ENCODING, "");
  curl_easy_setopt(curl, CURLOPT_TCP_KEEPALIVE, 1L);
  curl_easy_setopt(curl, CURLOPT_USERAGENT, "actord-crawler/1.0");
  curl_easy_setopt(curl, CURLOPT_WRITEFUNCTION, &Transfer::on_body);
}

Downloader::~Downloader() = default;

Answer Downloader::get(const std::string& url) {
  CURL* const curl = handle_->curl;
  Transfer transfer{curl, settings_.body_bytes_max};
  handle_->error[0] = '\0';
  curl_easy_setopt(curl, CURLOPT_URL, url.c_str());
  curl_easy_setopt(curl, CURLOPT_PROXY, is_loopback(url) ? "" : nullptr);
  curl_easy_setopt(curl, CURLOPT_WRITEDATA, &transfer);
  const CURLcode code = curl_easy_perform(curl);
  return transfer.finish(code, handle_->error);
}

}  // namespace crawler
