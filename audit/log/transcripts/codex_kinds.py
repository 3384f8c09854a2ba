"""The kinds of lines, items and events in a rollout."""

from __future__ import annotations

CALLS = frozenset(
    {
        "function_call",
        "custom_tool_call",
        "local_shell_call",
        "web_search_call",
        "tool_search_call",
        "image_generation_call",
    }
)
OUTPUTS = frozenset(
    {
        "function_call_output",
        "custom_tool_call_output",
        "local_shell_call_output",
        "mcp_tool_call_output",
        "tool_search_output",
    }
)
ITEMS = frozenset(
    {
        "message",
        "reasoning",
        "agent_message",
        "ghost_snapshot",
        "compaction",
        "compaction_summary",
        "context_compaction",
        "other",
    }
)
SETTINGS = frozenset({"turn_context", "world_state"})
WRAPPED_OTHERS = frozenset(
    {"compacted", "inter_agent_communication", "inter_agent_communication_metadata", "token_usage_record"}
)
COMMAND_EVENTS = frozenset({"exec_command_end", "CommandExecution"})
PATCH_EVENTS = frozenset({"patch_apply_end", "FileChange"})
MCP_EVENTS = frozenset({"mcp_tool_call_end", "McpToolCall"})
DYNAMIC_EVENTS = frozenset({"DynamicToolCall"})
EXECUTIONS = COMMAND_EVENTS | PATCH_EVENTS | MCP_EVENTS | DYNAMIC_EVENTS
BY_A_PERSON = "user_shell"
"""The source of a command that the user typed."""
EVENTS = frozenset(
    {
        "user_message",
        "agent_message",
        "agent_reasoning",
        "agent_reasoning_raw_content",
        "token_count",
        "task_started",
        "task_complete",
        "turn_started",
        "turn_complete",
        "turn_aborted",
        "item_completed",
        "thread_rolled_back",
        "thread_goal_updated",
        "thread_settings_applied",
        "entered_review_mode",
        "exited_review_mode",
        "context_compacted",
        "web_search_end",
        "image_generation_end",
        "view_image_tool_call",
        "sub_agent_activity",
        "guardian_assessment",
        "plan_update",
        "turn_diff",
        "error",
        "warning",
        "stream_error",
        "exec_command_begin",
        "patch_apply_begin",
        "mcp_tool_call_begin",
        "web_search_begin",
        "dynamic_tool_call_request",
        "dynamic_tool_call_response",
    }
)
BARE = CALLS | OUTPUTS | ITEMS
"""What a line of the old shape may be."""
