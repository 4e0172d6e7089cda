"""Keeps the clients at the chosen address: a redirection would send everything elsewhere."""

from typing import Any

from langchain_core.language_models import BaseChatModel

_CLIENTS = ("root_async_client", "root_client", "_async_client", "_client")
"""Where the chat models of OpenAI and Anthropic keep theirs."""


def stay_at_the_address(model: BaseChatModel) -> BaseChatModel:
    for name in _CLIENTS:
        http: Any = getattr(getattr(model, name, None), "_client", None)
        if hasattr(http, "follow_redirects"):
            http.follow_redirects = False
    return model
