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
	l.Command("%s create cm fig", l.Kubectl())
	l.Command("%s label cm fig ripe=yes", l.Kubectl())
	l.Command("%s delete cm fig", l.Kubectl())
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
