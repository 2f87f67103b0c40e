package main

import (
	"context"
	"errors"
	"fmt"
	"time"

	"k8s.io/client-go/rest"
	"sigs.k8s.io/controller-runtime/pkg/cache"
	"sigs.k8s.io/controller-runtime/pkg/client"
	"sigs.k8s.io/controller-runtime/pkg/config"
	"sigs.k8s.io/controller-runtime/pkg/manager"
	"sigs.k8s.io/controller-runtime/pkg/metrics/server"

	"github.com/controllers-from-scratch/controllers-from-scratch/internal/lab"
)

// run is what the steps share.
type run struct {
	yours    pieces
	patience time.Duration // before it is said of something that it does not come
}

// access is the API server, reached as the lab reaches it.
func access(l *lab.Lab) *rest.Config {
	return &rest.Config{Host: l.Server.String(), QPS: -1, Transport: l.HTTPClient().Transport}
}

// under runs a manager with what setup adds to it while play goes on. The manager's cache has the demo's namespace.
func under(ctx context.Context, l *lab.Lab, change func(*manager.Options), setup func(manager.Manager) error,
	play func(context.Context) error) error {
	options := manager.Options{
		Metrics:    server.Options{BindAddress: "0"},
		Controller: config.Controller{MaxConcurrentReconciles: 2},
		Cache:      cache.Options{DefaultNamespaces: map[string]cache.Config{l.Namespace: {}}},
	}
	if change != nil {
		change(&options)
	}
	m, err := manager.New(access(l), options)
	if err != nil {
		return err
	}
	if err := setup(m); err != nil {
		return err
	}
	ctx, cancel := context.WithCancel(ctx)
	ended := make(chan error, 1)
	go func() { ended <- m.Start(ctx) }()
	err = play(ctx)
	cancel()
	return errors.Join(err, <-ended)
}

// user is a client that asks the API server itself.
func user(l *lab.Lab) (client.Client, error) { return client.New(access(l), client.Options{}) }

// until waits for something. problem says what is missing, or "".
func (r *run) until(ctx context.Context, exercise string, problem func() (string, error)) error {
	for end := time.Now().Add(r.patience); ; {
		missing, err := problem()
		if err != nil || missing == "" {
			return err
		}
		if time.Now().After(end) {
			return wrong(exercise, "after %v: %s", r.patience, missing)
		}
		select {
		case <-time.After(10 * time.Millisecond):
		case <-ctx.Done():
			return context.Cause(ctx)
		}
	}
}

// wrong is an error that says who knows more.
func wrong(exercise, format string, args ...any) error {
	return fmt.Errorf("%s\nmake grade EX=%s says more", fmt.Sprintf(format, args...), exercise)
}
