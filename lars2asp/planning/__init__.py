"""From the checked program to the plan: components and the ASP text that evaluates each."""
