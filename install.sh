#!/bin/sh
# Installs Handrail's command `agent` for the current user, from this checkout.
set -eu

usage() {
    cat <<'TEXT'
Usage: ./install.sh [--demo | --check | --uninstall | --help]

  (nothing)     install `agent`, and its twin `handrail`, as an isolated tool for you, or update it
  --demo        the same, then start `agent demo`: a tour in a throw-away repository, without a key
  --check       prepare the development environment in .venv and run every check
  --uninstall   remove what was installed; your data and settings stay
  --help        this text

It needs git and Python 3.11 or later with pip. What is installed goes where uv keeps tools, in your
home folder; nothing needs root and the system's Python is not touched. uv itself is used when it is
there and fetched into a private folder when it is not.

Environment:
  HANDRAIL_PYTHON               the interpreter to use (else python3.13, 3.12, 3.11 and python3 are tried)
  UV_TOOL_BIN_DIR, UV_TOOL_DIR  where the commands and their environment go
  XDG_DATA_HOME, UV_CACHE_DIR   where a fetched uv and its cache go

Exit codes:
  0  done                              22  a folder cannot be written to
  1  a step failed for another reason  23  the network or the package index is not reachable
  2  wrong option                      24  uv is missing and cannot be fetched without pip
 20  Python is missing or too old      25  another program named `agent` is in the way
 21  git is missing
--demo ends with the exit code of `agent demo`, --check with that of the check that failed.
TEXT
}

mode=${1:-install}
if [ "$#" -gt 1 ]; then mode=several; fi
case $mode in
    install | --demo | --check | --uninstall) ;;
    --help | -h) usage && exit ;;
    *) usage >&2 && exit 2 ;;
esac

case ${HANDRAIL_PYTHON:-} in
    /*) ;;
    */*) HANDRAIL_PYTHON=$PWD/$HANDRAIL_PYTHON ;;
esac
root=$(cd "$(dirname "$0")" && pwd -P)
cd "$root"
if [ "$mode" = --check ]; then exec scripts/check.sh; fi
# shellcheck source=scripts/toolchain.sh
. scripts/toolchain.sh
NAME_TAKEN=25

find_tool_folders() {
    tool=$("$uv" tool dir)/handrail
    bin=$("$uv" tool dir --bin)
}

# Another program's file is never replaced: uv would do so only when forced, and is not.
need_free_names() {
    for name in agent handrail; do
        if [ ! -e "$bin/$name" ] && [ ! -L "$bin/$name" ]; then continue; fi
        case $(readlink "$bin/$name" || true) in
            "$tool"/*) ;;
            *) die "$NAME_TAKEN" "$bin/$name is another program, and it was left as it is. Nothing was" \
                "installed. Move it away, or set UV_TOOL_BIN_DIR to a folder for Handrail's commands," \
                "and run this again." ;;
        esac
    done
}

install_tool() {
    # The versions of the lock are the ones that were tested together.
    fetch "reading uv.lock" "$uv" export --frozen --no-dev --no-emit-project --no-hashes \
        --python "$python" --output-file "$work/constraints.txt"
    fetch "installing Handrail" env UV_COMPILE_BYTECODE="${UV_COMPILE_BYTECODE:-1}" "$uv" tool install \
        --python "$python" --constraints "$work/constraints.txt" --reinstall-package handrail "$root"
    version=$("$bin/agent" --version) || die 1 "Handrail was installed into $tool, but" \
        "\`$bin/agent --version\` fails (see above). Nothing else was changed."
}

# Prints "LABEL FOLDER" lines; asked of the program, since only it knows the platform's folders.
describe_data() {
    "$tool/bin/python" -I -c 'import os
from handrail.places import find_places
places = find_places(os.environ)
print(f"  your data         {places.home}")
if places.config != places.home:
    print(f"  your settings     {places.config}")
' 2>/dev/null || say "  your data         (where the installed version kept it)"
}

report_install() {
    say "Installed $version:"
    say "  commands          $bin/agent and its twin $bin/handrail"
    say "  their environment $tool"
    describe_data
    say "To update, pull and run ./install.sh again; to remove it, ./install.sh --uninstall."
}

warn_about_path() {
    case :$PATH: in
        *":$bin:"*) ;;
        *) warn_not_on_path ;;
    esac
    first=$(command -v agent) || return 0
    if [ "$(cd "$(dirname "$first")" && pwd -P)" != "$(cd "$bin" && pwd -P)" ]; then
        warn "another program named agent, $first, comes first on your PATH. Type handrail instead," \
            "or put $bin before it."
    fi
}

warn_not_on_path() {
    line="export PATH=\"$bin:\$PATH\""
    case ${SHELL:-} in
        */zsh) file=$HOME/.zshrc ;;
        */bash) file=$HOME/.bashrc ;;
        */fish) file=$HOME/.config/fish/config.fish line="fish_add_path \"$bin\"" ;;
        *) file=$HOME/.profile ;;
    esac
    warn "$bin is not on your PATH. Add this line to $file and open a new terminal:"
    printf '\n    %s\n\n' "$line" >&2
}

install() {
    need_git
    need_python python3.13 python3.12 python3.11 python3 python \
        "$(pyenv_python 3.13)" "$(pyenv_python 3.12)" "$(pyenv_python 3.11)"
    need_uv
    find_tool_folders
    need_folder "${tool%/*}" "set UV_TOOL_DIR"
    need_folder "$bin" "set UV_TOOL_BIN_DIR"
    need_folder "$("$uv" cache dir)" "set UV_CACHE_DIR"
    need_free_names
    say "Installing Handrail from $root with Python $python_version ($python); the first time takes a minute."
    install_tool
    report_install
    warn_about_path
}

uninstall() {
    if [ ! -d "${UV_TOOL_DIR:-${XDG_DATA_HOME:-$HOME/.local/share}/uv/tools}/handrail" ]; then
        remove_private_uv
        say "Handrail is not installed; there is nothing to remove."
        return
    fi
    find_uv || need_python python3.13 python3.12 python3.11 python3 python
    need_uv
    find_tool_folders
    kept=$(describe_data)
    fetch "removing Handrail" "$uv" tool uninstall handrail
    say "Removed the commands $bin/agent and $bin/handrail, and their environment $tool."
    remove_private_uv
    printf 'Kept, where there is any:\n%s\n' "$kept"
}

remove_private_uv() {
    if [ ! -d "$private_uv" ]; then return; fi
    rm -rf "$private_uv"
    rmdir "${private_uv%/*}" 2>/dev/null || true
    say "Removed the private uv, $private_uv."
}

case $mode in
    install) install ;;
    --uninstall) uninstall ;;
    --demo)
        install
        rm -rf "$work"
        exec "$bin/agent" demo
        ;;
esac
