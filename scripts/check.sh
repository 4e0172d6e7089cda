#!/bin/sh
# Every check, the cheapest first; the first that fails ends it. `make check`, `./install.sh --check`
# and the continuous integration all run this.
#
#   scripts/check.sh             prepare the development environment, then check everything
#   scripts/check.sh --prepare   only prepare the environment, .venv
#
# HANDRAIL_PYTHON names the interpreter of .venv (else 3.11 is looked for first), HANDRAIL_SECOND_PYTHON
# the one of the second run of the tests (else 3.13). That run leaves out what starts many processes and
# depends little on the version; HANDRAIL_SECOND_TESTS=tests has it run everything. Caches lie in the
# user's cache folder.
set -eu

root=$(cd "$(dirname "$0")/.." && pwd -P)
cd "$root"
# shellcheck source=scripts/toolchain.sh
. scripts/toolchain.sh

cache=${XDG_CACHE_HOME:-$HOME/.cache}/handrail-dev
# Every checkout has caches of its own, so that two can be checked at the same time.
own_cache=$cache/$(printf '%s' "$root" | cksum | cut -d ' ' -f 1)

export RUFF_CACHE_DIR="$own_cache/ruff"
export HYPOTHESIS_STORAGE_DIRECTORY="$own_cache/hypothesis"
export PYRIGHT_PYTHON_CACHE_DIR="$cache/pyright"
# Without it pyright asks a registry on every run whether there is a newer one.
export PYRIGHT_PYTHON_IGNORE_WARNINGS=1
# Terminal tests start many processes; none of them should compile the libraries first.
export UV_COMPILE_BYTECODE=1

seconds() { date +%s; }

step() { # NAME COMMAND...
    name=$1
    shift
    printf '\n== %s\n' "$name"
    step_began=$(seconds)
    code=0
    "$@" || code=$?
    if [ "$code" -ne 0 ]; then
        printf '\ncheck failed: %s (exit code %s)\n' "$name" "$code" >&2
        exit "$code"
    fi
    printf -- '-- %s: %s s\n' "$name" "$(($(seconds) - step_began))"
}

drop_caches_of_deleted_checkouts() {
    for owner in "$cache"/*/checkout; do
        if [ -f "$owner" ] && [ ! -d "$(cat "$owner")" ]; then rm -rf "${owner%/checkout}"; fi
    done
}

prepare() { # VENV PYTHON
    fetch "preparing $1" env UV_PROJECT_ENVIRONMENT="$1" "$uv" sync --frozen --python "$2"
}

run_tests() { # VENV OPTION...
    venv=$1
    shift
    # A file stays on one worker: its expensive fixtures are made once.
    "$venv/bin/pytest" -n auto --maxprocesses 4 --dist loadfile \
        -o cache_dir="$own_cache/pytest-${venv##*/}" "$@"
}

test_on_second_python() {
    if ! find_python "${HANDRAIL_SECOND_PYTHON:-python3.13}" "$(pyenv_python 3.13)"; then
        say "Skipped: no Python 3.13 was found (HANDRAIL_SECOND_PYTHON may name one)."
        return
    fi
    if [ "$python_version" = "$first_version" ]; then
        say "Skipped: the tests above ran on Python $python_version already."
        return
    fi
    second=$own_cache/venv-$python_version
    prepare "$second" "$python"
    # Word splitting is wanted: these are folders and files.
    # shellcheck disable=SC2086
    run_tests "$second" ${HANDRAIL_SECOND_TESTS:-tests/unit tests/repl tests/e2e/engine tests/e2e/formats \
        tests/e2e/test_work.py tests/tty/test_turn.py tests/tty/test_restore.py}
}

began=$(seconds)
need_git
need_python python3.11 "$(pyenv_python 3.11)" python3.12 python3.13 python3 python
first_version=$python_version
need_folder "$root" "check a copy that is yours"
need_folder "$own_cache" "set XDG_CACHE_HOME"
printf '%s' "$root" >"$own_cache/checkout"
drop_caches_of_deleted_checkouts
need_uv
case $uv in */*) export PATH="$PATH:${uv%/*}" ;; esac

step "environment (Python $python_version)" prepare "$root/.venv" "$python"
if [ "${1:-}" = --prepare ]; then exit; fi

bin=$root/.venv/bin
step "format" "$bin/ruff" format --check
step "lint" "$bin/ruff" check
step "lock" "$uv" lock --check --quiet --python "$python"
step "shell scripts" "$bin/shellcheck" --external-sources install.sh scripts/*.sh .ci/run
step "layers" "$bin/lint-imports" --no-logo --cache-dir "$own_cache/import-linter"
step "types" "$bin/pyright" --warnings
step "tests (Python $python_version)" run_tests "$root/.venv"
step "tests (second Python)" test_on_second_python

printf '\ncheck passed in %s s\n' "$(($(seconds) - began))"
