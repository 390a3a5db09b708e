"""How a program can be split over several reasoners: by groups of rules, by keys of atoms, in levels.

Pham, Ali, Mileo (2019): Enhancing the Scalability of Expressive Stream Reasoning via Input-Driven
Parallelization. Semantic Web 10. Eiter, Ogris, Schekotihin (2019), definitions 7 to 9.
"""
