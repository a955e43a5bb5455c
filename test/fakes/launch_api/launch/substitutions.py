class LaunchConfiguration:
    def __init__(self, variable_name, *, default=None):
        self.variable_name, self.default = variable_name, default

    def perform(self, context):
        if self.variable_name in context.launch_configurations:
            return context.launch_configurations[self.variable_name]
        if self.default is not None:
            return self.default
        raise RuntimeError(f"launch configuration '{self.variable_name}' does not exist")
