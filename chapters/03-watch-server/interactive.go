package main

import (
	"context"

	"github.com/controllers-from-scratch/controllers-from-scratch/chapters/03-watch-server/apiserver/storage"
	"github.com/controllers-from-scratch/controllers-from-scratch/internal/lab"
)

// serve runs the server until Ctrl-C.
func serve(ctx context.Context, l *lab.Lab) error {
	s, err := startOurs(l, storage.Options{})
	if err != nil {
		return err
	}
	defer s.stop()
	l.Say("The chapter's server listens on %s. In another terminal:", s.url)
	ours := lab.Cluster{Kubeconfig: s.kubeconfig} // so that a machine without kubectl has commands, too
	l.Command("alias kc='%s'", ours.Kubectl())
	for _, args := range []string{
		"get cm -w --output-watch-events", "create configmap colour --from-literal=value=red",
		"label cm colour tier=web", "delete cm colour",
	} {
		l.Command("kc %s", args)
	}
	<-ctx.Done()
	return nil
}
