package main

import (
	"context"
	"slices"

	"github.com/controllers-from-scratch/controllers-from-scratch/internal/lab"
)

// follow is -interactive: the store follows what the reader does, until Ctrl-C.
func follow(ctx context.Context, l *lab.Lab) error {
	l.Say("This terminal keeps the ConfigMaps of %s in a store with an index of their label team. One without the label "+
		"is in the store, and in no team. In another terminal, in this folder:", l.Namespace)
	kc := l.Alias()
	l.Command("%s create cm fig", kc)
	l.Command("%s label cm fig team=red", kc)
	l.Command("%s delete cm fig", kc)
	client, err := clientset(l)
	if err != nil {
		return err
	}
	s := newTold(l)
	defer s.reflect(ctx, client)()
	for s.waitFor(ctx, 1) == nil {
		for _, team := range slices.Sorted(slices.Values(s.ListIndexFuncValues(teamIndex))) {
			l.Became("team %s: %s", team, inTeam(s, team))
		}
	}
	return nil // nothing but the reader ends it
}
