package main

import (
	"context"
	"net/http"

	"github.com/controllers-from-scratch/controllers-from-scratch/internal/lab"
)

// explore is -interactive: the book's kinds and an object, for the reader's kubectl. Nothing runs that Process: that is
// for later chapters.
func explore(ctx context.Context, l *lab.Lab) error {
	if err := installBook(ctx, l); err != nil {
		return err
	}
	// What the steps have left would hide the two below.
	if err := must(ctx, l, http.MethodDelete, book(l, "processes"), nil); err != nil {
		return err
	}
	set := booked("ProcessSet", "fig", object{"selector": object{"app": "fig"}, "template": object{
		"labels": object{"app": "fig"}, "spec": object{"command": "sleep", "args": []any{"60"}}}})
	if err := create(ctx, l, book(l, "processsets"), set); err != nil {
		return err
	}
	if err := create(ctx, l, book(l, "processes"), booked("Process", "fig", object{"command": "sleep"})); err != nil {
		return err
	}
	l.Say("There are a Process and a ProcessSet, both named fig. In another terminal, in this folder:")
	kc := l.Alias()
	for _, args := range []string{
		// Asks anew: kubectl remembers for six hours which kinds there are, and of a category it does not ask again
		// (k8s.io/cli-runtime/pkg/genericclioptions, config_flags.go).
		"api-resources --categories=scratch",
		"get scratch",
		"explain proc.spec",
		`patch proc fig --type=merge -p '{"spec":{"command":"top"}}'`,
		`patch proc fig --type=merge -p '{"spec":{"maxRestarts":3}}'`,
		"scale procset fig --replicas=0",
		`patch proc fig --type=merge --subresource=status -p '{"status":{"phase":"Running"}}'`,
		"get proc fig -o yaml --show-managed-fields",
	} {
		l.Command("%s %s", kc, args)
	}
	<-ctx.Done()
	return nil
}
