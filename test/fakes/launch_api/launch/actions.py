from __future__ import annotations

from .core import perform


class Action:
    def __init__(self, *, condition=None):
        self.condition = condition

    def execute(self, context):
        return None


class DeclareLaunchArgument(Action):
    def __init__(self, name, *, default_value=None, description=None, choices=None, **kwargs):
        super().__init__(**kwargs)
        self.name, self.default_value, self.description, self.choices = (
            name,
            default_value,
            description,
            choices,
        )

    def execute(self, context):
        if self.name not in context.launch_configurations:
            if self.default_value is None:
                raise RuntimeError(f"Included launch description missing required argument '{self.name}'")
            context.launch_configurations[self.name] = perform(self.default_value, context)


class OpaqueFunction(Action):
    def __init__(self, *, function, args=None, kwargs=None, **left_over_kwargs):
        super().__init__(**left_over_kwargs)
        self.function, self.args, self.kwargs = function, args or (), kwargs or {}

    def execute(self, context):
        return self.function(context, *self.args, **self.kwargs)


class SetEnvironmentVariable(Action):
    def __init__(self, name, value, **kwargs):
        super().__init__(**kwargs)
        self.name, self.value = name, value

    def execute(self, context):
        context.environment[perform(self.name, context)] = perform(self.value, context)


class EmitEvent(Action):
    def __init__(self, *, event, **kwargs):
        super().__init__(**kwargs)
        self.event = event


class ExecuteProcess(Action):
    """Real signature."""

    def __init__(
        self, *, cmd, prefix=None, name=None, cwd=None, env=None, additional_env=None, shell=False,
        output="log", output_format="[{this.process_description.final_name}] {line}", respawn=False,
        respawn_delay=None, log_cmd=False, on_exit=None, condition=None, emulate_tty=False,
        sigterm_timeout=None, sigkill_timeout=None,
    ):  # fmt: skip
        super().__init__(condition=condition)
        self.cmd, self.output, self.on_exit = cmd, output, on_exit

    def execute(self, context):
        self.command = [perform(word, context) for word in self.cmd]
