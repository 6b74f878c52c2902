# SPDX-License-Identifier: Apache-2.0
"""sbom.py NAME VERSION ROOT [PACKAGE...]: prints what the programs and libraries below ROOT are
linked with, and the packages whose headers are compiled in, as a document of SPDX 2.3."""

import hashlib
import json
import os
import re
import subprocess
import sys


def output(*words):
    return subprocess.run(words, check=True, capture_output=True, text=True).stdout


def is_elf(path):
    with open(path, "rb") as file:
        return file.read(4) == b"\x7fELF"


def files_below(root):
    for folder, _, names in sorted(os.walk(root)):
        for path in (os.path.join(folder, name) for name in sorted(names)):
            if not os.path.islink(path) and is_elf(path):
                yield path


def needed_by(path):
    return re.findall(r"\(NEEDED\).*\[(.*)\]", output("readelf", "--dynamic", "--wide", path))


def facts_of(package_name, *fields):
    form = "\t".join(f"${{{field}}}" for field in fields)
    return output("dpkg-query", "--show", f"--showformat={form}", package_name).split("\t")


def package_of(library):
    """The package that has the library on this machine."""
    cache = output("/sbin/ldconfig", "-p")
    for place in re.findall(rf"^\s*{re.escape(library)} .* => (.*)$", cache, re.M):
        real = os.path.realpath(place)
        for spelling in (real, place, real.removeprefix("/usr")):
            found = subprocess.run(["dpkg-query", "--search", spelling], capture_output=True,
                                   text=True, check=False).stdout
            if found:
                return facts_of(found.split(": ")[0], "Package")[0]
    sys.exit(f"sbom.py: no package has {library}")


def package(name, version, licence, **more):
    return {"name": name, "versionInfo": version,
            "SPDXID": "SPDXRef-" + re.sub(r"[^A-Za-z0-9.]", "-", name),
            "downloadLocation": "NOASSERTION", "licenseConcluded": licence,
            "licenseDeclared": licence, "filesAnalyzed": False, **more}


def debian_package(name):
    version, architecture, source = facts_of(name, "Version", "Architecture", "source:Package")
    purl = f"pkg:deb/debian/{name}@{version}?arch={architecture}"
    return package(name, version, "NOASSERTION", supplier="Organization: Debian",
                   sourceInfo=f"built from {source}",
                   externalRefs=[{"referenceCategory": "PACKAGE-MANAGER",
                                  "referenceType": "purl", "referenceLocator": purl}])


def document(name, version, root, *compiled_in):
    own, libraries = set(), set()
    for path in files_below(root):
        own.add(os.path.basename(path))
        libraries.update(needed_by(path))
    foreign = {each for each in libraries if not any(mine.startswith(each) for mine in own)}
    parts = [("DYNAMIC_LINK", debian_package(each))
             for each in sorted({package_of(library) for library in foreign})]
    parts += [("STATIC_LINK", debian_package(each)) for each in compiled_in]
    packages = [package(name, version, "Apache-2.0")] + [part for _, part in parts]
    content = hashlib.sha256(json.dumps(packages).encode()).hexdigest()
    own_id = packages[0]["SPDXID"]
    relations = [("SPDXRef-DOCUMENT", "DESCRIBES", own_id)]
    relations += [(own_id, kind, part["SPDXID"]) for kind, part in parts]
    return {"spdxVersion": "SPDX-2.3", "dataLicense": "CC0-1.0", "SPDXID": "SPDXRef-DOCUMENT",
            "name": f"{name}-{version}", "documentNamespace": f"urn:{name}:{version}:{content}",
            "creationInfo": {"created": output("date", "-u", "+%Y-%m-%dT%H:%M:%SZ").strip(),
                             "creators": ["Tool: sbom.py"]},
            "packages": packages,
            "relationships": [{"spdxElementId": one, "relationshipType": kind,
                               "relatedSpdxElement": other} for one, kind, other in relations]}


if __name__ == "__main__":
    print(json.dumps(document(*sys.argv[1:]), indent=1))
