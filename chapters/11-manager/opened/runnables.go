package opened

import (
	"context"
	"net"
	"net/http"
	"time"

	"sigs.k8s.io/controller-runtime/pkg/healthz"
	"sigs.k8s.io/controller-runtime/pkg/manager"
	"sigs.k8s.io/controller-runtime/pkg/webhook"
)

// Runnable does nothing but record when it is started and stopped. It says nothing about leader election, and so the
// manager starts it, as it starts controllers, when it is elected. It implements manager.Runnable.
type Runnable struct {
	Record *Record
	Name   string
	Lasts  time.Duration // how long it goes on after it is told to stop
}

var (
	_ manager.Runnable               = Runnable{}
	_ manager.LeaderElectionRunnable = Everywhere{}
	_ webhook.Server                 = Webhooks{}
)

// Start records that it starts, waits until it is to stop, and records the end.
func (r Runnable) Start(ctx context.Context) error {
	r.note("starts")
	<-ctx.Done()
	r.note("is told to stop")
	if r.Lasts > 0 {
		time.Sleep(r.Lasts)
	}
	r.note("has stopped")
	return nil
}

func (r Runnable) note(what string) { r.Record.Note(Event{Part: Runnables, Name: r.Name, What: what}) }

// Everywhere is a Runnable that a manager starts whether it is elected or not: upstream's Others.
type Everywhere struct{ Runnable }

// NeedLeaderElection implements manager.LeaderElectionRunnable.
func (Everywhere) NeedLeaderElection() bool { return false }

// Warm is a Runnable that is called twice: to warm up whether the manager is elected or not, and to start when it is.
type Warm struct {
	Runnable
	Takes time.Duration // to warm up
}

// Warmup implements what the manager looks for in a runnable before its election.
func (w Warm) Warmup(ctx context.Context) error {
	w.note("warms up")
	select {
	case <-time.After(w.Takes):
		w.note("is warm")
	case <-ctx.Done():
	}
	return nil
}

// Webhooks is a webhook server that serves nothing. A manager starts it once its GetWebhookServer was called.
type Webhooks struct{ Runnable }

// NeedLeaderElection implements webhook.Server.
func (Webhooks) NeedLeaderElection() bool { return false }

// Register implements webhook.Server.
func (Webhooks) Register(string, http.Handler) {}

// StartedChecker implements webhook.Server.
func (Webhooks) StartedChecker() healthz.Checker { return healthz.Ping }

// WebhookMux implements webhook.Server.
func (Webhooks) WebhookMux() *http.ServeMux { return http.NewServeMux() }

// Server is an HTTP server for a manager, as those of its metrics and its health are: it answers each request with its
// name. Without a listener it listens at a free port of this machine.
func (r *Record) Server(name string, listener net.Listener) (*manager.Server, error) {
	if listener == nil {
		var err error
		if listener, err = net.Listen("tcp", "127.0.0.1:0"); err != nil {
			return nil, err
		}
	}
	note := func(what string) { r.Note(Event{Part: Runnables, Name: name, What: what}) }
	server := &http.Server{
		ReadHeaderTimeout: time.Second,
		BaseContext:       func(net.Listener) context.Context { note("starts"); return context.Background() },
		Handler: http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
			_, _ = w.Write([]byte(name))
		}),
	}
	return &manager.Server{Name: name, Server: server, Listener: closing{listener, note}}, nil
}

// closing records that a server closes its listener, which is how it stops.
type closing struct {
	net.Listener
	note func(string)
}

func (c closing) Close() error {
	c.note("has stopped")
	return c.Listener.Close()
}
