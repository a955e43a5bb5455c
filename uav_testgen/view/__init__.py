"""What we learned: tables, statistics, plots and the HTML report."""
