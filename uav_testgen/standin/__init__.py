"""Stand-ins for Aerialist's simulator: programs that use Aerialist are answered with predicted flights."""
