package main

import (
	"context"

	"github.com/controllers-from-scratch/controllers-from-scratch/chapters/01-raw-watch/watch"
	"github.com/controllers-from-scratch/controllers-from-scratch/chapters/02-list-then-watch/listwatch"
	"github.com/controllers-from-scratch/controllers-from-scratch/internal/lab"
)

// follow is -interactive: the client follows what the reader does, until Ctrl-C.
func follow(ctx context.Context, l *lab.Lab) error {
	l.Say("This terminal keeps a view of the ConfigMaps of %s. In another terminal, in this folder:", l.Namespace)
	kc := l.Alias()
	l.Command("%s create cm fig", kc)
	l.Command("%s label cm fig ripe=yes", kc)
	l.Command("%s delete cm fig", kc)
	client := &listwatch.Client{
		Source: listwatch.Collection{
			Client: &watch.Client{Server: l.Server.String(), HTTP: l.Aloud(l.HTTPClient())},
			Path:   watch.Path("", "v1", l.Namespace, "configmaps"),
		},
		View:    &listwatch.View{OnChange: changed(l)},
		Observe: observe(l),
	}
	client.Run(ctx) // nothing but the reader ends it
	return nil
}
