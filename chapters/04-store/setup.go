package main

// tour is what the steps share.
type tour struct{}
