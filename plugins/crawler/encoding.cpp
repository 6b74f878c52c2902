// SPDX-License-Identifier: Apache-2.0

#include "encoding.hpp"

#include <iconv.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <cstdint>

#include "valid_utf8.hpp"

namespace crawler {
namespace {

using Form = Encoding::Form;

struct Row {
  Encoding encoding;
  std::string_view labels;  // separated by blanks
};

// The table of https://encoding.spec.whatwg.org/#names-and-labels. The converters are those of
// glibc that are nearest to the standard: "euc-kr" includes the further syllables of windows-949,
// "shift_jis" the characters of NEC and IBM, "gbk" is read as its superset gb18030.
//
// Three things differ from the standard. It replaces a text in ISO-2022-KR or ISO-2022-CN by one
// character, because such a text can hide a script from a filter. The crawler runs no scripts and
// reads the text. "x-user-defined" is read as windows-1252, which the standard does in a meta only.
// "hz-gb-2312" and "replacement", which it never reads, are no labels here.
// clang-format off
constexpr std::array rows{
    Row{{"utf-8", "UTF-8", Form::utf8},
        "utf-8 utf8 unicode-1-1-utf-8 unicode11utf8 unicode20utf8 x-unicode20utf8"},
    Row{{"windows-1252", "CP1252", Form::single},
        "windows-1252 iso-8859-1 iso8859-1 latin1 l1 us-ascii ascii ansi_x3.4-1968 cp1252 cp819 "
        "csisolatin1 ibm819 iso-ir-100 iso88591 iso_8859-1 iso_8859-1:1987 x-cp1252 "
        "x-user-defined"},
    Row{{"ibm866", "IBM866", Form::single}, "866 cp866 csibm866 ibm866"},
    Row{{"iso-8859-2", "ISO-8859-2", Form::single},
        "csisolatin2 iso-8859-2 iso-ir-101 iso8859-2 iso88592 iso_8859-2 iso_8859-2:1987 l2 "
        "latin2"},
    Row{{"iso-8859-3", "ISO-8859-3", Form::single},
        "csisolatin3 iso-8859-3 iso-ir-109 iso8859-3 iso88593 iso_8859-3 iso_8859-3:1988 l3 "
        "latin3"},
    Row{{"iso-8859-4", "ISO-8859-4", Form::single},
        "csisolatin4 iso-8859-4 iso-ir-110 iso8859-4 iso88594 iso_8859-4 iso_8859-4:1988 l4 "
        "latin4"},
    Row{{"iso-8859-5", "ISO-8859-5", Form::single},
        "csisolatincyrillic cyrillic iso-8859-5 iso-ir-144 iso8859-5 iso88595 iso_8859-5 "
        "iso_8859-5:1988"},
    Row{{"iso-8859-6", "ISO-8859-6", Form::single},
        "arabic asmo-708 csiso88596e csiso88596i csisolatinarabic ecma-114 iso-8859-6 "
        "iso-8859-6-e iso-8859-6-i iso-ir-127 iso8859-6 iso88596 iso_8859-6 iso_8859-6:1987"},
    Row{{"iso-8859-7", "ISO-8859-7", Form::single},
        "csisolatingreek ecma-118 elot_928 greek greek8 iso-8859-7 iso-ir-126 iso8859-7 iso88597 "
        "iso_8859-7 iso_8859-7:1987 sun_eu_greek"},
    Row{{"iso-8859-8", "ISO-8859-8", Form::single},
        "csiso88598e csisolatinhebrew hebrew iso-8859-8 iso-8859-8-e iso-ir-138 iso8859-8 "
        "iso88598 iso_8859-8 iso_8859-8:1988 visual"},
    Row{{"iso-8859-8-i", "ISO-8859-8", Form::single}, "csiso88598i iso-8859-8-i logical"},
    Row{{"iso-8859-10", "ISO-8859-10", Form::single},
        "csisolatin6 iso-8859-10 iso-ir-157 iso8859-10 iso885910 l6 latin6"},
    Row{{"iso-8859-13", "ISO-8859-13", Form::single}, "iso-8859-13 iso8859-13 iso885913"},
    Row{{"iso-8859-14", "ISO-8859-14", Form::single}, "iso-8859-14 iso8859-14 iso885914"},
    Row{{"iso-8859-15", "ISO-8859-15", Form::single},
        "csisolatin9 iso-8859-15 iso8859-15 iso885915 iso_8859-15 l9"},
    Row{{"iso-8859-16", "ISO-8859-16", Form::single}, "iso-8859-16"},
    Row{{"koi8-r", "KOI8-R", Form::single}, "cskoi8r koi koi8 koi8-r koi8_r"},
    Row{{"koi8-u", "KOI8-U", Form::single}, "koi8-ru koi8-u"},
    Row{{"macintosh", "MACINTOSH", Form::single}, "csmacintosh mac macintosh x-mac-roman"},
    Row{{"windows-874", "WINDOWS-874", Form::single},
        "dos-874 iso-8859-11 iso8859-11 iso885911 tis-620 windows-874"},
    Row{{"windows-1250", "CP1250", Form::single}, "cp1250 windows-1250 x-cp1250"},
    Row{{"windows-1251", "CP1251", Form::single}, "cp1251 windows-1251 x-cp1251"},
    Row{{"windows-1253", "CP1253", Form::single}, "cp1253 windows-1253 x-cp1253"},
    Row{{"windows-1254", "CP1254", Form::single},
        "cp1254 csisolatin5 iso-8859-9 iso-ir-148 iso8859-9 iso88599 iso_8859-9 iso_8859-9:1989 "
        "l5 latin5 windows-1254 x-cp1254"},
    Row{{"windows-1255", "CP1255", Form::single}, "cp1255 windows-1255 x-cp1255"},
    Row{{"windows-1256", "CP1256", Form::single}, "cp1256 windows-1256 x-cp1256"},
    Row{{"windows-1257", "CP1257", Form::single}, "cp1257 windows-1257 x-cp1257"},
    Row{{"windows-1258", "CP1258", Form::single}, "cp1258 windows-1258 x-cp1258"},
    Row{{"x-mac-cyrillic", "MAC-UK", Form::single}, "x-mac-cyrillic x-mac-ukrainian"},
    Row{{"gbk", "GB18030", Form::multi},
        "chinese csgb2312 csiso58gb231280 gb2312 gb_2312 gb_2312-80 gbk iso-ir-58 x-gbk"},
    Row{{"gb18030", "GB18030", Form::multi}, "gb18030"},
    Row{{"big5", "BIG5-HKSCS", Form::multi}, "big5 big5-hkscs cn-big5 csbig5 x-x-big5"},
    Row{{"euc-jp", "EUC-JP-MS", Form::multi}, "cseucpkdfmtjapanese euc-jp x-euc-jp"},
    Row{{"iso-2022-jp", "ISO-2022-JP", Form::escaped}, "csiso2022jp iso-2022-jp"},
    Row{{"shift_jis", "CP932", Form::multi},
        "csshiftjis ms932 ms_kanji shift-jis shift_jis sjis windows-31j x-sjis"},
    Row{{"euc-kr", "UHC", Form::multi},
        "cseuckr csksc56011987 euc-kr iso-ir-149 korean ks_c_5601-1987 ks_c_5601-1989 ksc5601 "
        "ksc_5601 windows-949"},
    Row{{"iso-2022-kr", "ISO-2022-KR", Form::escaped}, "csiso2022kr iso-2022-kr"},
    Row{{"iso-2022-cn", "ISO-2022-CN-EXT", Form::escaped}, "iso-2022-cn iso-2022-cn-ext"},
    Row{{"utf-16be", "UTF-16BE", Form::utf16}, "unicodefffe utf-16be"},
    Row{{"utf-16le", "UTF-16LE", Form::utf16},
        "csunicode iso-10646-ucs-2 ucs-2 unicode unicodefeff utf-16 utf-16le"},
};
// clang-format on

bool is_blank(char c) { return c == ' ' || c == '\t' || c == '\n' || c == '\f' || c == '\r'; }

bool has_label(std::string_view labels, std::string_view wanted) {
  while (!labels.empty()) {
    const std::size_t end = labels.find(' ');
    if (labels.substr(0, end) == wanted) return true;
    labels.remove_prefix(end == std::string_view::npos ? labels.size() : end + 1);
  }
  return false;
}

class Converter {
 public:
  explicit Converter(const char* from) : handle_(iconv_open("UTF-8", from)) {}
  ~Converter() {
    if (is_open()) iconv_close(handle_);
  }
  Converter(const Converter&) = delete;
  Converter& operator=(const Converter&) = delete;

  // iconv_open() returns the pointer of the value -1 if it fails.
  bool is_open() const { return reinterpret_cast<std::intptr_t>(handle_) != -1; }

  // Converts from the front of `bytes` up to its end or a byte that cannot be converted. Returns 0
  // at the end, or else EILSEQ or EINVAL.
  int convert(std::string_view& bytes, std::string& out) {
    char* from = const_cast<char*>(bytes.data());  // iconv does not write there
    std::size_t left = bytes.size();
    const int error = run(&from, &left, out);
    bytes.remove_prefix(bytes.size() - left);
    return error;
  }
  // Writes a character that the converter still holds because it waited for an accent. Escaped
  // encodings return to ASCII.
  void flush(std::string& out) { run(nullptr, nullptr, out); }

 private:
  int run(char** from, std::size_t* left, std::string& out) {
    for (;;) {
      std::array<char, 4096> piece;  // NOLINT(cppcoreguidelines-pro-type-member-init)
      char* to = piece.data();
      std::size_t room = piece.size();
      const bool is_done = iconv(handle_, from, left, &to, &room) != static_cast<std::size_t>(-1);
      const int error = is_done ? 0 : errno;
      out.append(piece.data(), piece.size() - room);
      if (error != E2BIG) return error;
    }
  }

  iconv_t handle_;
};

// The number of bytes to drop where iconv refuses the first one. As in the standard, a refused pair
// goes as a whole, but never an ASCII byte, which may be the '<' of a tag.
std::size_t refused_bytes(std::string_view bytes, Form form) {
  const std::size_t pair = std::min<std::size_t>(bytes.size(), 2);
  if (form == Form::utf16) return pair;
  const bool has_trail = form == Form::multi && pair == 2;
  return has_trail && static_cast<unsigned char>(bytes[1]) >= 0x80 ? 2 : 1;
}

std::string_view without_mark(std::string_view bytes, const Encoding& encoding) {
  std::string_view mark;
  if (encoding.form == Form::utf8) mark = "\xEF\xBB\xBF";
  if (encoding.form == Form::utf16) mark = encoding.name == "utf-16le" ? "\xFF\xFE" : "\xFE\xFF";
  if (bytes.starts_with(mark)) bytes.remove_prefix(mark.size());
  return bytes;
}

}  // namespace

const Encoding* encoding_of(std::string_view label) {
  while (!label.empty() && is_blank(label.front())) label.remove_prefix(1);
  while (!label.empty() && is_blank(label.back())) label.remove_suffix(1);
  std::string wanted{label};
  for (char& c : wanted) {
    if (c >= 'A' && c <= 'Z') c = static_cast<char>(c - 'A' + 'a');
  }
  for (const Row& row : rows) {
    if (!wanted.empty() && has_label(row.labels, wanted)) return &row.encoding;
  }
  return nullptr;
}

const Encoding& utf8() { return rows[0].encoding; }
const Encoding& windows_1252() { return rows[1].encoding; }

Decoded decode(std::string_view bytes, const Encoding& encoding) {
  Decoded result;
  bytes = without_mark(bytes, encoding);
  result.text.reserve(bytes.size());
  if (encoding.form != Form::utf8) {
    if (Converter converter{encoding.converter}; converter.is_open()) {
      while (const int error = converter.convert(bytes, result.text)) {
        if (encoding.form != Form::escaped) converter.flush(result.text);
        result.text += replacement_character;
        ++result.replaced;
        // EINVAL: the text ends within a character.
        bytes.remove_prefix(error == EINVAL ? bytes.size() : refused_bytes(bytes, encoding.form));
      }
      converter.flush(result.text);
      return result;
    }
  }
  result.replaced = append_valid_utf8(result.text, bytes);
  return result;
}

}  // namespace crawler
