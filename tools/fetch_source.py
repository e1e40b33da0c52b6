#!/usr/bin/env python3
"""Fetches a pinned source archive from the package index that pip is configured for, and unpacks it.

usage: fetch_source.py NAME VERSION SHA256 FOLDER

FOLDER/NAME-VERSION then holds the archive's files. pip itself would run the build back end that a source archive asks
for, whose version nobody pinned, so only pip's configuration is used: index-url, extra-index-url, no-index, find-links,
cert, proxy, timeout and trusted-host, from its files or the PIP_... variables. Nothing of the archive is looked at before
its checksum is right. Exit code 1 with one line on standard error when there is no such archive.
"""

import ast
import base64
import hashlib
import html.parser
import json
import os
import re
import shutil
import ssl
import subprocess
import sys
import tarfile
import time
import urllib.error
import urllib.parse
import urllib.request

ATTEMPTS = 3
INDEX_FORMATS = "application/vnd.pypi.simple.v1+json, application/vnd.pypi.simple.v1+html;q=0.5, text/html;q=0.1"


class Failure(Exception):
    """What stopped the fetch, in one line for people."""


def parse_settings(listing):
    """Settings of `pip download` from the lines of `pip config list`: variables win over that command's section, and
    that over the global one."""
    ranks = {"global": 0, "download": 1, ":env:": 2}
    chosen = {}
    for line in listing.splitlines():
        match = re.fullmatch(r"([^.=]+)\.([\w-]+)=(.*)", line)
        if not match or match[1] not in ranks:
            continue
        try:
            value = str(ast.literal_eval(match[3]))
        except (SyntaxError, ValueError):
            value = match[3]
        if ranks[match[1]] >= chosen.get(match[2], (0, ""))[0]:
            chosen[match[2]] = (ranks[match[1]], value)
    return {key: value for key, (_, value) in chosen.items()}


def pip_settings():
    listing = subprocess.run([sys.executable, "-m", "pip", "config", "list"], capture_output=True, text=True, check=False)
    if listing.returncode != 0:
        raise Failure(f"pip config list failed: {(listing.stderr.strip().splitlines() or ['no message'])[-1]}")
    return parse_settings(listing.stdout)


class Links(html.parser.HTMLParser):
    """The addresses of a page's links, as an index or a find-links page lists its files."""

    def __init__(self, page, base):
        super().__init__()
        self.base, self.addresses = base, []
        self.feed(page)

    def handle_starttag(self, tag, attrs):
        target = dict(attrs).get("href")
        if tag == "base" and target:
            self.base = urllib.parse.urljoin(self.base, target)
        elif tag == "a" and target:
            self.addresses.append(urllib.parse.urljoin(self.base, target))


class Web:
    """Reads addresses as pip would: its certificates, proxy and time limit, and the credentials of the index's own
    address for files on the same host."""

    def __init__(self, settings):
        self.timeout = float(settings.get("timeout") or 15)
        self.trusted = set(settings.get("trusted-host", "").split())
        self.credentials = {}
        proxy = settings.get("proxy")
        self.proxies = [urllib.request.ProxyHandler({"http": proxy, "https": proxy})] if proxy else []
        try:
            self.context = ssl.create_default_context(cafile=settings.get("cert") or None)
        except OSError as error:
            raise Failure(f"pip's certificate file {settings.get('cert')} cannot be read: {error.strerror}") from error

    def open(self, address, accept):
        parts = urllib.parse.urlsplit(address)
        if parts.username:
            words = f"{urllib.parse.unquote(parts.username)}:{urllib.parse.unquote(parts.password or '')}"
            self.credentials[parts.hostname] = base64.b64encode(words.encode()).decode()
        request = urllib.request.Request(
            urllib.parse.urlunsplit(parts._replace(netloc=parts.netloc.rpartition("@")[2], fragment="")))
        request.add_header("Accept", accept)
        request.add_header("User-Agent", "clade-setup")
        if parts.hostname in self.credentials:
            request.add_unredirected_header("Authorization", f"Basic {self.credentials[parts.hostname]}")
        context = self.context
        if self.trusted & {parts.hostname, f"{parts.hostname}:{parts.port}"}:
            context = ssl._create_unverified_context()  # the archive's checksum is checked all the same
        opener = urllib.request.build_opener(urllib.request.HTTPSHandler(context=context), *self.proxies)
        for attempt in range(1, ATTEMPTS + 1):
            try:
                return opener.open(request, timeout=self.timeout)
            except urllib.error.HTTPError as error:
                if error.code < 500 or attempt == ATTEMPTS:
                    raise
            except OSError:
                if attempt == ATTEMPTS:
                    raise
            time.sleep(attempt)

    def listed(self, page):
        """The addresses of the files that a page of an index or of find-links lists."""
        with self.open(page, INDEX_FORMATS) as answer:
            text, base = answer.read().decode("utf-8", "replace"), answer.geturl()
            if answer.headers.get_content_type().endswith("+json"):
                return [urllib.parse.urljoin(base, file["url"]) for file in json.loads(text)["files"]]
            return Links(text, base).addresses

    def save(self, address, path):
        with self.open(address, "*/*") as answer, open(path, "wb") as file:
            shutil.copyfileobj(answer, file)


def file_name(address):
    return os.path.basename(urllib.parse.unquote(urllib.parse.urlsplit(address).path))


def shown(address):
    """The address without credentials and fragment."""
    parts = urllib.parse.urlsplit(address)
    return urllib.parse.urlunsplit(parts._replace(netloc=parts.netloc.rpartition("@")[2], fragment=""))


def default_index():
    """The index that pip falls back to where none is configured."""
    from pip._internal.models.index import PyPI

    return PyPI.simple_url


def archive_places(archive, project, settings):
    """Where the archive may be, nearest first: ("file", path), ("page", address) of a list of files, or ("link", address)."""
    for place in settings.get("find-links", "").split():
        path = urllib.request.url2pathname(urllib.parse.urlsplit(place).path) if place.startswith("file:") else place
        path = os.path.expanduser(path)
        if "://" in place and not place.startswith("file:"):
            yield ("link" if file_name(place) == archive else "page"), place
        elif os.path.isdir(path):
            yield "file", os.path.join(path, archive)
        elif os.path.basename(path) == archive:
            yield "file", path
    if settings.get("no-index", "").lower() in ("", "0", "false", "no", "off"):
        indexes = [settings.get("index-url") or default_index()]
        for index in indexes + settings.get("extra-index-url", "").split():
            yield "page", f"{index.rstrip('/')}/{re.sub(r'[-_.]+', '-', project).lower()}/"


def checksum(path):
    digest = hashlib.sha256()
    with open(path, "rb") as file:
        while block := file.read(1 << 20):
            digest.update(block)
    return digest.hexdigest()


def fetch(archive, project, sha256, target, settings):
    """Writes the archive with that checksum to `target`, from the first place that has it."""
    web, reasons = Web(settings), []
    for kind, place in archive_places(archive, project, settings):
        try:
            if kind == "file":
                if not os.path.isfile(place):
                    continue
                shutil.copyfile(place, target)
            else:
                links = [place] if kind == "link" else [a for a in web.listed(place) if file_name(a) == archive]
                if not links:
                    reasons.append(f"{shown(place)} does not list it")
                    continue
                web.save(links[0], target)
        except urllib.error.HTTPError as error:
            reasons.append(f"{shown(place)} answers {error.code} {error.reason}")
        except (OSError, ValueError, KeyError) as error:
            reasons.append(f"{shown(place)}: {getattr(error, 'reason', None) or error}")
        else:
            found = checksum(target)
            if found == sha256:
                return
            os.remove(target)
            reasons.append(f"{shown(place)} has another file, with the SHA-256 {found}: not used")
    raise Failure(f"{archive} could not be fetched; no network, a certificate that pip does not trust (PIP_CERT), or an "
                  f"index without it (PIP_INDEX_URL, pip.conf)? {'; '.join(reasons) or 'pip is told to use no index'}")


def unpack(archive, folder, top):
    """Unpacks the regular files below the folder `top` of the archive, and refuses whatever would land elsewhere."""
    with tarfile.open(archive, "r:gz") as members:
        for member in members:
            parts = member.name.rstrip("/").split("/")
            if parts[0] != top or ".." in parts or not (member.isfile() or member.isdir()):
                raise Failure(f"{os.path.basename(archive)} holds {member.name!r}, not a plain file below {top}/: not used")
            if member.isdir():
                continue
            path = os.path.join(folder, *parts)
            os.makedirs(os.path.dirname(path), exist_ok=True)
            with members.extractfile(member) as data, open(path, "wb") as file:
                shutil.copyfileobj(data, file)


def main(arguments):
    if len(arguments) != 4:
        print(__doc__, file=sys.stderr)
        return 2
    name, version, sha256, folder = arguments
    top = f"{name}-{version}"
    archive = os.path.join(folder, f"{top}.tar.gz")
    try:
        fetch(os.path.basename(archive), name, sha256, archive, pip_settings())
        unpack(archive, folder, top)
    except (Failure, OSError, EOFError, tarfile.TarError) as error:
        print(f"setup: {error}", file=sys.stderr)
        return 1
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
