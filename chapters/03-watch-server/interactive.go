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
	l.Command("export KUBECONFIG=%s", s.kubeconfig)
	for _, args := range []string{
		"get cm -w --output-watch-events", "create configmap colour --from-literal=value=red",
		"label cm colour tier=web", "delete cm colour",
	} {
		l.Command("kubectl -n demo %s", args)
	}
	<-ctx.Done()
	return nil
}
