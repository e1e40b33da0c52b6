#!/usr/bin/env bash
# tools/fetch_source.py against an index served on this machine: where it looks, what it refuses, what it leaves behind.
# usage: fetch_source_test.sh <path of fetch_source.py>
set -euo pipefail

script=$1
place=$(mktemp -d)
server=
trap '[[ -z $server ]] || kill "$server"; rm -rf "$place"' EXIT

# archive <file> <member>...: a source archive; a member that ends in @ is a link.
archive() {
  python3 - "$@" <<'PYTHON'
import io, sys, tarfile
with tarfile.open(sys.argv[1], "w:gz") as archive:
    for name in sys.argv[2:]:
        member = tarfile.TarInfo(name.rstrip("@"))
        if name.endswith("@"):
            member.type, member.linkname = tarfile.SYMTYPE, "/etc/passwd"
            archive.addfile(member)
        else:
            member.size = len(name)
            archive.addfile(member, io.BytesIO(name.encode()))
PYTHON
}
sum_of() { sha256sum <"$1" | cut -d ' ' -f 1; }

# An index as HTML (relative links, as PEP 503 has them), one as JSON (PEP 691) behind a password, and an empty one.
mkdir -p "$place/www/files" "$place/links"
archive "$place/www/files/some_thing-1.0.tar.gz" some_thing-1.0/a.txt some_thing-1.0/b/c.txt
sha256=$(sum_of "$place/www/files/some_thing-1.0.tar.gz")
cat >"$place/server.py" <<'PYTHON'
import http.server, os, sys

class Index(http.server.SimpleHTTPRequestHandler):
    def do_GET(self):
        if self.path == "/html/some-thing/":
            self.answer("text/html", '<a href="../../files/some_thing-0.9.tar.gz">some_thing-0.9.tar.gz</a>'
                        '<a href="../../files/some_thing-1.0.tar.gz#sha256=00">some_thing-1.0.tar.gz</a>')
        elif self.path == "/json/some-thing/":
            if self.headers.get("Authorization") != "Basic bWU6YSBi":
                self.send_error(401)
            else:
                self.answer("application/vnd.pypi.simple.v1+json",
                            '{"files": [{"filename": "x", "url": "/files/some_thing-1.0.tar.gz"}]}')
        elif self.path == "/empty/some-thing/":
            self.answer("text/html", "nothing")
        else:
            super().do_GET()

    def answer(self, kind, text):
        self.send_response(200)
        self.send_header("Content-Type", kind)
        self.end_headers()
        self.wfile.write(text.encode())

    def log_message(self, *_):
        pass

os.chdir(sys.argv[1])
server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Index)
with open(sys.argv[2] + ".new", "w") as port:
    port.write(str(server.server_port))
os.rename(sys.argv[2] + ".new", sys.argv[2])
server.serve_forever()
PYTHON
python3 "$place/server.py" "$place/www" "$place/port" &
server=$!
for _ in {1..100}; do
  [[ ! -f $place/port ]] || break
  sleep 0.1
done
port=$(<"$place/port")
index=http://127.0.0.1:$port

# Nothing of this machine's own configuration counts.
while read -r variable; do unset "$variable"; done < <(compgen -e | grep '^PIP_' || true)
export PIP_CONFIG_FILE=/dev/null no_proxy=127.0.0.1

# run <expected exit code> <expected words> [<sha256>]: in an empty folder `into`.
into=$place/into
run() {
  local expected=$1 words=$2 status=0
  rm -rf "$into"
  mkdir "$into"
  output=$(python3 "$script" some_thing 1.0 "${3:-$sha256}" "$into" 2>&1) || status=$?
  if [[ $status != "$expected" || $output != *"$words"* || $(wc -l <<<"$output") -gt 1 ]]; then
    printf 'FAILED, expected %s: %s\ngot %s: %s\n' "$expected" "$words" "$status" "$output"
    exit 1
  fi
}
expect() { # <command>...: must succeed
  "$@" || {
    printf 'FAILED: %s\n' "$*"
    exit 1
  }
}

PIP_INDEX_URL=$index/html run 0 ""
expect test "$(<"$into/some_thing-1.0/b/c.txt")" = some_thing-1.0/b/c.txt
PIP_INDEX_URL=http://me:a%20b@127.0.0.1:$port/json/ run 0 ""
PIP_INDEX_URL=$index/empty PIP_EXTRA_INDEX_URL=$index/html run 0 ""
printf '[global]\nindex-url = %s/empty\n[download]\nindex-url = %s/html\n' "$index" "$index" >"$place/pip.conf"
PIP_CONFIG_FILE=$place/pip.conf run 0 ""

PIP_CONFIG_FILE=$place/pip.conf PIP_INDEX_URL=$index/empty run 1 "$index/empty/some-thing/ does not list it"
PIP_INDEX_URL=$index/json run 1 "$index/json/some-thing/ answers 401"
PIP_INDEX_URL=http://me:secret@127.0.0.1:$port/none run 1 "$index/none/some-thing/ answers 404"
expect test "${output/secret/}" = "$output"
PIP_INDEX_URL=$index/html PIP_CERT=/nonexistent run 1 "pip's certificate file /nonexistent cannot be read"
PIP_NO_INDEX=1 run 1 "pip is told to use no index"

PIP_INDEX_URL=$index/html run 1 "with the SHA-256 $sha256: not used" 0123
expect test -z "$(ls -A "$into")"

# Folders of find-links come before the index; a wrong file there does not hide the right one.
cp "$place/www/files/some_thing-1.0.tar.gz" "$place/links/"
PIP_NO_INDEX=1 PIP_FIND_LINKS="/nonexistent $place/links" run 0 ""
PIP_NO_INDEX=1 PIP_FIND_LINKS=file://$place/links run 0 ""
PIP_NO_INDEX=1 PIP_FIND_LINKS=$index/html/some-thing/ run 0 ""
echo other >"$place/links/some_thing-1.0.tar.gz"
PIP_INDEX_URL=$index/html PIP_FIND_LINKS=$place/links run 0 ""

for member in ../outside /outside other-1.0/a some_thing-1.0/../../outside some_thing-1.0/link@; do
  archive "$place/links/some_thing-1.0.tar.gz" "$member"
  PIP_NO_INDEX=1 PIP_FIND_LINKS=$place/links run 1 "not a plain file below some_thing-1.0/: not used" \
    "$(sum_of "$place/links/some_thing-1.0.tar.gz")"
done
expect test ! -e "$place/outside"
echo "fetch_source.py: all as expected"
