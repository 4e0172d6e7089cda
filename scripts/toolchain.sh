# shellcheck shell=sh
# Finds what everything else needs: a Python that runs, uv, git and folders that can be written to.
# Sourced by install.sh and scripts/check.sh, which set `root` to the checkout.

# Exit codes, apart from those of `agent` itself; `./install.sh --help` explains them.
NO_PYTHON=20
NO_GIT=21
NOT_WRITABLE=22
NO_NETWORK=23
NO_UV=24

private_uv=${XDG_DATA_HOME:-${HOME:?HOME must be set}/.local/share}/handrail-install/uv

work=$(mktemp -d "${TMPDIR:-/tmp}/handrail.XXXXXX") || exit "$NOT_WRITABLE"
trap 'rm -rf "$work"' EXIT
trap 'exit 130' INT
trap 'exit 143' TERM

# The interpreter is always given to uv, which must neither fetch nor prefer one of its own.
export UV_PYTHON_DOWNLOADS=never UV_PYTHON_PREFERENCE=system
unset VIRTUAL_ENV UV_PROJECT_ENVIRONMENT

say() { printf '%s\n' "$*"; }
warn() { printf 'warning: %s\n' "$*" >&2; }

die() { # CODE TEXT
    code=$1
    shift
    printf 'error: %s\n' "$*" >&2
    exit "$code"
}

# Prints "VERSION PATH" of a command that is a Python and runs: a version manager's shim may be on
# the PATH and fail. The path is that of the interpreter under a virtual environment, which lasts.
describe_python() { # COMMAND
    "$1" -c 'import sys
print("%d.%d" % sys.version_info[:2], getattr(sys, "_base_executable", None) or sys.executable)
' 2>/dev/null
}

# Sets `python` and `python_version` to the first command that runs as Python 3.11 or later;
# `too_old` then holds what was met on the way.
find_python() { # COMMAND...
    too_old=
    for candidate; do
        found=$(describe_python "$candidate") || continue
        python_version=${found%% *}
        python=${found#* }
        case $python_version in
            2.* | 3.[0-9] | 3.10) too_old="$too_old${too_old:+, }$candidate is $python_version" ;;
            3.*) return 0 ;;
        esac
    done
    return 1
}

need_python() { # COMMAND...
    if [ -n "${HANDRAIL_PYTHON:-}" ]; then
        find_python "$HANDRAIL_PYTHON" || die "$NO_PYTHON" "HANDRAIL_PYTHON is $HANDRAIL_PYTHON," \
            "which does not run as Python 3.11 or later${too_old:+ ($too_old)}. Nothing was changed." \
            "Set it to a newer interpreter, or unset it to let one be looked for."
        return
    fi
    find_python "$@" || die "$NO_PYTHON" "Handrail needs Python 3.11 or later and found" \
        "${too_old:-none that runs}. Nothing was changed. Install a newer Python with your system's" \
        "packages or from python.org, or set HANDRAIL_PYTHON to the one to use, and run this again."
}

need_git() {
    git --version >/dev/null 2>&1 || die "$NO_GIT" "git was not found or does not run. Nothing was" \
        "changed. Handrail uses it to show and undo changes: install git with your system's packages" \
        "and run this again."
}

need_folder() { # FOLDER WHAT_TO_SET
    if mkdir -p "$1" 2>/dev/null && (: >"$1/.handrail-$$") 2>/dev/null; then
        rm -f "$1/.handrail-$$"
        return
    fi
    die "$NOT_WRITABLE" "the folder $1 cannot be made or written to. Nothing was installed." \
        "Make it writable for $(id -un), or name another one: $2."
}

# Runs a command that may use the network; its output is shown only when it fails.
fetch() { # WHAT COMMAND...
    what=$1
    shift
    if "$@" >"$work/log" 2>&1; then return; fi
    if [ -z "${UV_SYSTEM_CERTS:-}" ] && grep -q 'invalid peer certificate' "$work/log"; then
        # uv brings its own list of authorities; a network may have one that only the system knows.
        export UV_SYSTEM_CERTS=1
        if "$@" >"$work/log" 2>&1; then return; fi
    fi
    tail -n 20 "$work/log" >&2
    if grep -qiE "$network_errors" "$work/log"; then
        die "$NO_NETWORK" "$what failed because the package index could not be reached (see above)." \
            "What was there before is still there. Check the network, or the proxy in HTTPS_PROXY," \
            "and run this again."
    fi
    die 1 "$what failed (see above). What was there before is still there."
}
network_errors='error sending request|dns error|connection (refused|reset|timed out)|connect ?timeout'
network_errors="$network_errors|timed out|newconnectionerror|nameresolutionerror|proxyerror"
network_errors="$network_errors|network is unreachable|temporary failure in name resolution"

# An old uv would not know the options we use, so it is asked for one of the newest.
uv_works() { "$1" tool install --help 2>/dev/null | grep -q -e --build-constraints; }

find_uv() {
    for uv in uv "$private_uv/bin/uv"; do
        if uv_works "$uv"; then return 0; fi
    done
    return 1
}

# A target folder of pip's needs neither ensurepip nor a Python that may be changed (PEP 668).
fetch_uv() {
    need_folder "${private_uv%/*}" "set XDG_DATA_HOME"
    rm -rf "$private_uv"
    if "$python" -m pip --version >/dev/null 2>&1; then
        fetch "fetching uv with pip" env PIP_USER=0 PIP_REQUIRE_VIRTUALENV=0 PIP_ONLY_BINARY=uv \
            "$python" -m pip install --target "$private_uv" uv
    elif "$python" -m venv "$private_uv" >/dev/null 2>&1; then
        fetch "fetching uv with pip" env PIP_ONLY_BINARY=uv \
            "$private_uv/bin/python" -m pip install uv
    elif pipx --version >/dev/null 2>&1; then
        fetch "fetching uv with pipx" env PIPX_HOME="$private_uv/pipx" PIPX_BIN_DIR="$private_uv/bin" \
            pipx install uv
    else
        die "$NO_UV" "uv is missing, and $python has no pip to fetch it with. Nothing was installed." \
            "Install pip for this Python (python3-pip), pipx or uv with your system's packages, and" \
            "run this again."
    fi
    uv=$private_uv/bin/uv
    uv_works "$uv" || die "$NO_UV" "uv was fetched into $private_uv but does not run, or is too old." \
        "Install uv yourself (https://docs.astral.sh/uv) and run this again."
    say "uv was missing, so it was fetched into $private_uv; it is used for Handrail only."
}

# What pyenv has but offers in no shell of ours.
pyenv_python() { # VERSION
    for candidate in "${PYENV_ROOT:-$HOME/.pyenv}/versions/$1".*/bin/python; do
        if [ -x "$candidate" ]; then say "$candidate"; fi
    done | tail -n 1
}

need_uv() { find_uv || fetch_uv; }
