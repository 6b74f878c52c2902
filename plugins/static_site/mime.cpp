// SPDX-License-Identifier: Apache-2.0
//
// The table of endings. It is sorted, for a binary search. Charsets and languages have the endings
// that Apache gives them: https://httpd.apache.org/docs/2.4/mod/mod_mime.html
#include "mime.hpp"

#include <algorithm>
#include <array>
#include <iterator>

namespace static_site {
namespace {

enum class Kind { media, text, charset, language };  // text: a media type with a charset

struct Row {
  std::string_view extension;
  Kind kind;
  std::string_view value;
};

// clang-format off
constexpr std::array rows{
  Row{"ascii",       Kind::charset, "US-ASCII"},
  Row{"avif",        Kind::media, "image/avif"},
  Row{"b5",          Kind::charset, "Big5"},
  Row{"big5",        Kind::charset, "Big5"},
  Row{"bmp",         Kind::media, "image/bmp"},
  Row{"ca",          Kind::language, "ca"},
  Row{"cp-1251",     Kind::charset, "windows-1251"},
  Row{"cp866",       Kind::charset, "IBM866"},
  Row{"cs",          Kind::language, "cs"},
  Row{"css",         Kind::text, "text/css"},
  Row{"csv",         Kind::text, "text/csv"},
  Row{"da",          Kind::language, "da"},
  Row{"de",          Kind::language, "de"},
  Row{"el",          Kind::language, "el"},
  Row{"en",          Kind::language, "en"},
  Row{"eo",          Kind::language, "eo"},
  Row{"es",          Kind::language, "es"},
  Row{"et",          Kind::language, "et"},
  Row{"euc-jp",      Kind::charset, "EUC-JP"},
  Row{"euc-kr",      Kind::charset, "EUC-KR"},
  Row{"fr",          Kind::language, "fr"},
  Row{"gb",          Kind::charset, "GB2312"},
  Row{"gb18030",     Kind::charset, "GB18030"},
  Row{"gb2312",      Kind::charset, "GB2312"},
  Row{"gif",         Kind::media, "image/gif"},
  Row{"gz",          Kind::media, "application/gzip"},
  Row{"he",          Kind::language, "he"},
  Row{"hr",          Kind::language, "hr"},
  Row{"htm",         Kind::text, "text/html"},
  Row{"html",        Kind::text, "text/html"},
  Row{"hu",          Kind::language, "hu"},
  Row{"ico",         Kind::media, "image/vnd.microsoft.icon"},
  Row{"iso-8859-1",  Kind::charset, "ISO-8859-1"},
  Row{"iso-8859-10", Kind::charset, "ISO-8859-10"},
  Row{"iso-8859-13", Kind::charset, "ISO-8859-13"},
  Row{"iso-8859-14", Kind::charset, "ISO-8859-14"},
  Row{"iso-8859-15", Kind::charset, "ISO-8859-15"},
  Row{"iso-8859-16", Kind::charset, "ISO-8859-16"},
  Row{"iso-8859-2",  Kind::charset, "ISO-8859-2"},
  Row{"iso-8859-3",  Kind::charset, "ISO-8859-3"},
  Row{"iso-8859-4",  Kind::charset, "ISO-8859-4"},
  Row{"iso-8859-5",  Kind::charset, "ISO-8859-5"},
  Row{"iso-8859-6",  Kind::charset, "ISO-8859-6"},
  Row{"iso-8859-7",  Kind::charset, "ISO-8859-7"},
  Row{"iso-8859-8",  Kind::charset, "ISO-8859-8"},
  Row{"iso-8859-9",  Kind::charset, "ISO-8859-9"},
  Row{"iso2022-jp",  Kind::charset, "ISO-2022-JP"},
  Row{"iso2022-kr",  Kind::charset, "ISO-2022-KR"},
  Row{"iso8859-1",   Kind::charset, "ISO-8859-1"},
  Row{"iso8859-10",  Kind::charset, "ISO-8859-10"},
  Row{"iso8859-13",  Kind::charset, "ISO-8859-13"},
  Row{"iso8859-14",  Kind::charset, "ISO-8859-14"},
  Row{"iso8859-15",  Kind::charset, "ISO-8859-15"},
  Row{"iso8859-16",  Kind::charset, "ISO-8859-16"},
  Row{"iso8859-2",   Kind::charset, "ISO-8859-2"},
  Row{"iso8859-3",   Kind::charset, "ISO-8859-3"},
  Row{"iso8859-4",   Kind::charset, "ISO-8859-4"},
  Row{"iso8859-5",   Kind::charset, "ISO-8859-5"},
  Row{"iso8859-6",   Kind::charset, "ISO-8859-6"},
  Row{"iso8859-7",   Kind::charset, "ISO-8859-7"},
  Row{"iso8859-8",   Kind::charset, "ISO-8859-8"},
  Row{"iso8859-9",   Kind::charset, "ISO-8859-9"},
  Row{"it",          Kind::language, "it"},
  Row{"ja",          Kind::language, "ja"},
  Row{"jis",         Kind::charset, "ISO-2022-JP"},
  Row{"jpeg",        Kind::media, "image/jpeg"},
  Row{"jpg",         Kind::media, "image/jpeg"},
  Row{"js",          Kind::text, "text/javascript"},
  Row{"json",        Kind::media, "application/json"},
  Row{"kis",         Kind::charset, "ISO-2022-KR"},
  Row{"ko",          Kind::language, "ko"},
  Row{"koi8",        Kind::charset, "KOI8-R"},
  Row{"koi8-r",      Kind::charset, "KOI8-R"},
  Row{"koi8-u",      Kind::charset, "KOI8-U"},
  Row{"koi8-uk",     Kind::charset, "KOI8-U"},
  Row{"latin1",      Kind::charset, "ISO-8859-1"},
  Row{"latin2",      Kind::charset, "ISO-8859-2"},
  Row{"latin3",      Kind::charset, "ISO-8859-3"},
  Row{"latin4",      Kind::charset, "ISO-8859-4"},
  Row{"latin5",      Kind::charset, "ISO-8859-9"},
  Row{"latin6",      Kind::charset, "ISO-8859-10"},
  Row{"latin9",      Kind::charset, "ISO-8859-15"},
  Row{"map",         Kind::media, "application/json"},
  Row{"md",          Kind::text, "text/markdown"},
  Row{"mjs",         Kind::text, "text/javascript"},
  Row{"mp3",         Kind::media, "audio/mpeg"},
  Row{"mp4",         Kind::media, "video/mp4"},
  Row{"nl",          Kind::language, "nl"},
  Row{"nn",          Kind::language, "nn"},
  Row{"no",          Kind::language, "no"},
  Row{"ogg",         Kind::media, "audio/ogg"},
  Row{"otf",         Kind::media, "font/otf"},
  Row{"pdf",         Kind::media, "application/pdf"},
  Row{"pl",          Kind::language, "pl"},
  Row{"png",         Kind::media, "image/png"},
  Row{"pt",          Kind::language, "pt"},
  Row{"pt-br",       Kind::language, "pt-BR"},
  Row{"ro",          Kind::language, "ro"},
  Row{"ru",          Kind::language, "ru"},
  Row{"shift_jis",   Kind::charset, "Shift_JIS"},
  Row{"sjis",        Kind::charset, "Shift_JIS"},
  Row{"sv",          Kind::language, "sv"},
  Row{"svg",         Kind::text, "image/svg+xml"},
  Row{"tar",         Kind::media, "application/x-tar"},
  Row{"tr",          Kind::language, "tr"},
  Row{"ttf",         Kind::media, "font/ttf"},
  Row{"txt",         Kind::text, "text/plain"},
  Row{"uk",          Kind::language, "uk"},
  Row{"us-ascii",    Kind::charset, "US-ASCII"},
  Row{"utf-8",       Kind::charset, "UTF-8"},
  Row{"utf16",       Kind::charset, "UTF-16"},
  Row{"utf16be",     Kind::charset, "UTF-16BE"},
  Row{"utf16le",     Kind::charset, "UTF-16LE"},
  Row{"utf8",        Kind::charset, "UTF-8"},
  Row{"wasm",        Kind::media, "application/wasm"},
  Row{"webm",        Kind::media, "video/webm"},
  Row{"webp",        Kind::media, "image/webp"},
  Row{"win-1251",    Kind::charset, "windows-1251"},
  Row{"woff",        Kind::media, "font/woff"},
  Row{"woff2",       Kind::media, "font/woff2"},
  Row{"xhtml",       Kind::text, "application/xhtml+xml"},
  Row{"xml",         Kind::text, "application/xml"},
  Row{"zh-cn",       Kind::language, "zh-CN"},
  Row{"zh-tw",       Kind::language, "zh-TW"},
  Row{"zip",         Kind::media, "application/zip"},
};
// clang-format on
static_assert(std::ranges::is_sorted(rows, {}, &Row::extension));

char lower(char c) { return c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c; }

const Row* find(std::string_view text) {
  std::string extension;
  std::ranges::transform(text, std::back_inserter(extension), lower);
  const auto row = std::ranges::lower_bound(rows, std::string_view{extension}, {}, &Row::extension);
  return row != rows.end() && row->extension == extension ? &*row : nullptr;
}

}  // namespace

FileType file_type(std::string_view file_name) {
  FileType type;
  std::size_t dot = file_name.find('.');  // what stands before the first dot is no ending
  while (dot != std::string_view::npos) {
    const std::size_t next = file_name.find('.', dot + 1);
    const Row* const row = find(file_name.substr(dot + 1, next - dot - 1));
    dot = next;
    if (row == nullptr) {
      type = {};
    } else if (row->kind == Kind::charset) {
      type.charset = row->value;
    } else if (row->kind == Kind::language) {
      type.language = row->value;
    } else {
      type.media_type = row->value;
      type.is_text = row->kind == Kind::text;
    }
  }
  return type;
}

std::string_view marked_charset(std::string_view first_bytes) {
  if (first_bytes.starts_with("\xEF\xBB\xBF")) return "UTF-8";
  if (first_bytes.starts_with("\xFE\xFF")) return "UTF-16BE";
  if (first_bytes.starts_with("\xFF\xFE")) return "UTF-16LE";
  return {};
}

std::string content_type(std::string_view media_type, std::string_view charset) {
  std::string value{media_type};
  if (!charset.empty()) value.append("; charset=").append(charset);
  return value;
}

}  // namespace static_site
