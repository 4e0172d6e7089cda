"""Puts the agent together: mounts, tools, prompts, middleware, sub-agents."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, cast

import deepagents
from deepagents import SubAgent
from deepagents.backends.protocol import BackendProtocol
from deepagents.profiles import HarnessProfile, register_harness_profile
from langchain.agents.middleware import AgentMiddleware, ToolErrorMiddleware
from langchain_core.language_models import BaseChatModel
from langgraph.checkpoint.base import BaseCheckpointSaver

from handrail.caps import Caps
from handrail.engine.absolute_paths import AbsolutePaths
from handrail.engine.agent import Agent, Graph
from handrail.engine.allowance import Allowance
from handrail.engine.answers import Answers
from handrail.engine.approvals import interrupt_on
from handrail.engine.call_ids import UniqueIds
from handrail.engine.gate import Gate, tool_failed
from handrail.engine.history import History
from handrail.engine.journal import Journal
from handrail.engine.models import UNKNOWN_WINDOW, Models
from handrail.engine.order import CallOrder
from handrail.engine.retries import Retries
from handrail.engine.stock_middleware import Files, Todos
from handrail.engine.strict_arguments import StrictArguments
from handrail.engine.summaries import ToldSummaries, window_of
from handrail.engine.whole_results import WholeResults
from handrail.policy import Policy
from handrail.prompt_files import read_prompt
from handrail.settings import Settings

_FILE_TOOLS = ("ls", "read_file", "write_file", "edit_file", "delete", "glob", "grep", "execute")
_CHARS_PER_TOKEN = 4
"""The library's own measure for offloading, which it counts in tokens."""


@dataclass(frozen=True, slots=True)
class Parts:
    """What one agent is made of."""

    models: Models
    backend: BackendProtocol
    project: Path
    context: str
    """Of the project, for the system prompt."""
    settings: Settings
    journal: Journal
    saver: BaseCheckpointSaver[Any]
    thread: str
    caps: Caps


def build_agent(parts: Parts) -> Agent:
    """The agent on its thread, ready for a first turn."""
    gate = Gate(parts.journal, Policy(), longest=parts.settings.context.offload_chars)
    allowance = Allowance(parts.caps)
    _describe_task_tool(parts.models.main)
    # Its own type is partly unknown.
    create_deep_agent = cast("Callable[..., Graph]", deepagents.create_deep_agent)  # pyright: ignore[reportUnknownMemberType]
    graph = create_deep_agent(
        parts.models.main,
        system_prompt=_prompt("system", parts.context),
        middleware=[Todos(), *_middleware(parts, parts.models.main, gate, allowance)],
        subagents=_subagents(parts, gate, allowance),
        backend=parts.backend,
        interrupt_on=interrupt_on(gate, "main"),
        checkpointer=parts.saver,
        name="main",
    )
    agent = Agent(graph, thread=parts.thread, journal=parts.journal, gate=gate)
    allowance.stop = agent.stop
    return agent


def _middleware(
    parts: Parts, model: BaseChatModel, gate: Gate, allowance: Allowance
) -> Sequence[AgentMiddleware[Any, Any, Any]]:
    """The same for every agent; files and summaries replace the library's own by their names."""
    context = parts.settings.context
    files = Files(
        backend=parts.backend,
        custom_tool_descriptions={name: read_prompt(f"tools/{name}") for name in _FILE_TOOLS},
        tool_token_limit_before_evict=max(1, context.offload_chars // _CHARS_PER_TOKEN),
    )
    files.offloaded = gate.offloaded
    summaries = ToldSummaries(
        model,
        backend=parts.backend,
        settings=context,
        window=window_of(model) or UNKNOWN_WINDOW,
        prompt=read_prompt("summary"),
        summarizer=parts.models.summary,
        retries=parts.settings.model.retries,
    )
    errors = ToolErrorMiddleware(tool_failed)
    return [
        allowance,
        files,
        summaries,
        errors,
        CallOrder(gate.is_finished),
        gate,
        WholeResults(),
        Answers(),
        Retries(parts.settings.model.retries),
        AbsolutePaths(parts.project),
        UniqueIds(),
        History(),
        StrictArguments(),
    ]


def _subagents(parts: Parts, gate: Gate, allowance: Allowance) -> list[SubAgent]:
    """Own specifications: the library's own would get neither prompt nor middleware of ours."""
    name = "general-purpose"
    model = parts.models.for_agent(name)
    return [
        SubAgent(
            name=name,
            description=read_prompt("general_purpose"),
            system_prompt=_prompt("subagent", parts.context),
            model=model,
            middleware=list(_middleware(parts, model, gate, allowance)),
            interrupt_on=interrupt_on(gate, name),
        )
    ]


def _prompt(name: str, context: str) -> str:
    return f"{read_prompt(name)}\n\n{context}"


def _describe_task_tool(model: BaseChatModel) -> None:
    """The library takes the description of `task` only from a profile of the model's provider."""
    provider = str(model._get_ls_params().get("ls_provider", ""))  # noqa: SLF001  # pyright: ignore[reportPrivateUsage]  # as the library asks
    profile = HarnessProfile(tool_description_overrides={"task": read_prompt("tools/task")})
    register_harness_profile(provider, profile)
