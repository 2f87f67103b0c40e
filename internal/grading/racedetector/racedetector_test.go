package racedetector

import "testing"

// TestOtherBuilds: what the caller sets for builds for another machine has no say in what this one can do.
func TestOtherBuilds(t *testing.T) {
	want, why := Available(t.Context())
	for name, value := range map[string]string{
		"GOOS": "plan9", "GOARCH": "wasm", "GOEXPERIMENT": "nonsense", "GOFLAGS": "-nonsense",
		"GOWORK": "/none/go.work",
	} {
		t.Setenv(name, value)
		if got, said := Available(t.Context()); got != want || said != why {
			t.Errorf("with %s=%s: %v (%s), want %v (%s)", name, value, got, said, want, why)
		}
	}
}
