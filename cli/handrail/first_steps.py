"""What somebody reads who has not chosen a model yet."""

from collections.abc import Mapping
from pathlib import Path

from handrail.credentials.providers import PROVIDERS, Provider

_SCREEN = """\
No model is chosen yet, so nothing was started. There are three ways on:

1. With a key. {with_key}

2. With a local server that speaks the OpenAI protocol:

     agent --model openai:MODEL --base-url http://localhost:8000/v1

   To keep that, write it into {settings_file}:

     [model]
     name = "openai:MODEL"
     base_url = "http://localhost:8000/v1"
     context_window = 32768

3. With neither. The real agent repairs a small project; its model is scripted:

     agent demo
"""

_NO_KEY = """Store it, or set its variable, and name a model:

     agent auth
     export {variable}=...
     agent --model {model}"""

_KEY = """{variable} is set, so this works at once:

     agent --model {model}"""


def first_steps(settings_file: Path, environ: Mapping[str, str]) -> str:
    return _SCREEN.format(
        settings_file=_below_home(settings_file, environ), with_key=_with_key(environ)
    )


def _below_home(file: Path, environ: Mapping[str, str]) -> str:
    home = environ.get("HOME")
    return f"~/{file.relative_to(home)}" if home and file.is_relative_to(home) else str(file)


def _with_key(environ: Mapping[str, str]) -> str:
    providers = list(PROVIDERS.values())
    for provider in providers:
        variable = provider.key_variables[0]
        if environ.get(variable):
            return _KEY.format(variable=variable, model=_example(provider))
    first = providers[0]
    return _NO_KEY.format(variable=first.key_variables[0], model=_example(first))


def _example(provider: Provider) -> str:
    return f"{provider.name}:{provider.example}"
