"""The front desk: opens a store, ingests, asks, searches; finds implementations by name and puts them together."""
