# SPDX-License-Identifier: Apache-2.0
"""A model of a web site: generates small sites, and crawls any site by other means than the plugin
does (urllib and html.parser), with the same rules of what a page is.

The failures that the crawler injects are a function of seed, page and attempt alone
(plugins/crawler/chaos.hpp), so the model predicts each of them.
"""

import html.parser
import os
import random
import urllib.error
import urllib.parse
import urllib.request

MASK = (1 << 64) - 1


# ---- chaos ---------------------------------------------------------------------------------------


def mixed(x):
    x = (x + 0x9E3779B97F4A7C15) & MASK
    x = ((x ^ (x >> 30)) * 0xBF58476D1CE4E5B9) & MASK
    x = ((x ^ (x >> 27)) * 0x94D049BB133111EB) & MASK
    return x ^ (x >> 31)


def strikes(seed, probability, location, attempt):
    state = mixed(seed)
    for byte in location.encode():
        state = ((state ^ byte) * 0x100000001B3) & MASK
    bits = mixed((mixed(state) + attempt) & MASK)
    return (bits >> 11) * 2.0 ** -53 < probability


class Calm:
    """Injects no failures."""

    def failures(self, location):
        return 0, True


class Chaos:
    def __init__(self, seed, probability, max_attempts):
        self.seed, self.probability, self.max_attempts = seed, probability, max_attempts

    def failures(self, location):
        """How often the page fails, and whether it is fetched in the end."""
        for attempt in range(1, self.max_attempts + 1):
            if not strikes(self.seed, self.probability, location, attempt):
                return attempt - 1, True
        return self.max_attempts, False


# ---- crawling ------------------------------------------------------------------------------------


class Links(html.parser.HTMLParser):
    def __init__(self, url):
        super().__init__(convert_charrefs=True)
        self.base, self.found, self.is_rebased = url, [], False

    def handle_starttag(self, tag, attributes):
        value = {}
        for key, text in attributes:
            value.setdefault(key, text or "")
        if tag in ("a", "area"):
            self.add(value.get("href", ""))
        elif tag in ("frame", "iframe"):
            self.add(value.get("src", ""))
        elif tag == "base" and not self.is_rebased:
            self.is_rebased = True
            self.base = urllib.parse.urljoin(self.base, value.get("href", ""))
        elif tag == "meta" and value.get("http-equiv", "").lower() == "refresh":
            _, found, target = value.get("content", "").lower().partition("url=")
            if found:
                self.add(value["content"][-len(target):].strip("'\""))

    def handle_startendtag(self, tag, attributes):
        self.handle_starttag(tag, attributes)

    def add(self, reference):
        if not reference:
            return
        try:
            self.found.append(urllib.parse.urljoin(self.base, reference.strip()))
        except ValueError:
            pass  # it is no URL


def normal(url):
    """One spelling for each page, or None if the URL is not crawled."""
    try:
        parts = urllib.parse.urlsplit(url)
        if parts.scheme not in ("http", "https") or not parts.hostname:
            return None
    except ValueError:
        return None
    path = urllib.parse.quote(urllib.parse.unquote_to_bytes(parts.path or "/"),
                              safe="!$&'()*+,;=:@/-._~")
    query = urllib.parse.quote(parts.query, safe="%!$&'()*+,;=:@/?-._~")
    has_query = bool(query) or "?" in url.partition("#")[0]
    return urllib.parse.urlunsplit((parts.scheme, parts.netloc.lower(), path, "", "")) + (
        "?" + query if has_query else "")


def location(url):
    parts = urllib.parse.urlsplit(url)
    return parts.path + ("?" + parts.query if "?" in url else "")


class NoRedirect(urllib.request.HTTPRedirectHandler):
    def redirect_request(self, *_):
        return None


class Crawl:
    """`pages` has the locations of all pages, `failures` and `given_up` the effects of chaos."""

    def __init__(self, start, chaos=None):
        self.chaos = chaos or Calm()
        self.pages, self.redirects, self.dead, self.not_html = set(), set(), set(), set()
        self.failures, self.given_up = 0, set()
        # The site is on this machine, so a proxy of the environment must not be used.
        self.opener = urllib.request.build_opener(NoRedirect, urllib.request.ProxyHandler({}))
        start = normal(start)
        folder = start.rpartition("/")[0] + "/"
        waiting, seen = [start], {start}
        while waiting:
            url = waiting.pop()
            for target in self.visit(url):
                target = normal(target)
                if target and target.startswith(folder) and target not in seen:
                    seen.add(target)
                    waiting.append(target)

    def visit(self, url):
        failures, is_had = self.chaos.failures(location(url))
        self.failures += failures
        if not is_had:
            self.given_up.add(location(url))
            return []
        try:
            with self.opener.open(url, timeout=60) as answer:
                if answer.headers.get_content_type() not in ("text/html", "application/xhtml+xml"):
                    self.not_html.add(location(url))
                    return []
                self.pages.add(location(url))
                links = Links(url)
                charset = answer.headers.get_content_charset() or "utf-8"
                links.feed(answer.read().decode(charset, errors="replace"))
                return links.found
        except urllib.error.HTTPError as refused:
            with refused:
                if 300 <= refused.code < 400 and refused.headers.get("Location"):
                    self.redirects.add(location(url))
                    return [urllib.parse.urljoin(url, refused.headers["Location"])]
                self.dead.add(location(url))
                return []


# ---- generating ----------------------------------------------------------------------------------


PHRASE = "vermilion porcupine"  # on one page of each generated site, and on no other


def generate(folder, pages=60, seed=1):
    """A site of `pages` pages that can be reached and one that cannot, with dead links, links to
    other sites, a folder, an image and a page with the PHRASE. Returns that page's location."""
    chance = random.Random(seed)
    names = ["index.html"] + [f"page{n}.html" if n % 5 else f"deep/page{n}.html"
                              for n in range(1, pages)]
    for n, name in enumerate(names):
        links = [names[child] for child in (2 * n + 1, 2 * n + 2) if child < pages]
        links += chance.sample(names, min(3, pages))
        body = "".join(f'<p><a href="/{link}#part">to {link}</a></p>\n' for link in links)
        body += '<a href="/missing.html">dead</a> <a href="http://example.invalid/">out</a>\n'
        body += '<a href="mailto:nobody@example.invalid">mail</a> <img src="/picture.png">\n'
        if n == pages - 1:
            body += f"<p>Here lives the {PHRASE}.</p>\n"
        write(folder, name, f"<!DOCTYPE html><html><head><title>Page {n}</title></head>"
                            f"<body>{body}</body></html>\n")
    write(folder, "island.html", "<!DOCTYPE html><title>Nobody links here</title>\n")
    write(folder, "picture.png", "no picture")
    return "/" + names[-1]


def write(folder, name, text):
    path = os.path.join(folder, name)
    os.makedirs(os.path.dirname(path), exist_ok=True)
    with open(path, "w", encoding="utf-8") as file:
        file.write(text)
