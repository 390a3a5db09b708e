"""The ASP program: streaming atoms over `@`-calls, and arithmetic that is safe."""
