"""`python -m audit` is `permission-audit`."""

if __name__ == "__main__":
    from audit.cli.app import main

    main()
