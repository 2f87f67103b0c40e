package main

import "testing"

func TestParse(t *testing.T) {
	changes, err := parse([]string{"bump", "kind=v0.34.0", "testify=v1.13.0"})
	if err != nil || len(changes) != 2 || changes["kind"] != "v0.34.0" {
		t.Errorf("two changes are read as %v, %v", changes, err)
	}
	if changes, err := parse(nil); err != nil || changes != nil {
		t.Errorf("no arguments are read as %v, %v", changes, err)
	}
	for _, args := range [][]string{{"list"}, {"bump"}, {"bump", "kind"}} {
		if _, err := parse(args); err == nil {
			t.Errorf("%q was understood", args)
		}
	}
}
