package main

import (
	"context"
	"fmt"
	"net/http"
	"time"

	corev1 "k8s.io/api/core/v1"
	"k8s.io/client-go/tools/cache"

	"github.com/controllers-from-scratch/controllers-from-scratch/chapters/05-reflector/reflector"
	"github.com/controllers-from-scratch/controllers-from-scratch/chapters/05-reflector/scenario"
	"github.com/controllers-from-scratch/controllers-from-scratch/internal/lab"
)

// implementation makes reflectors.
type implementation struct {
	name string
	new  func(source cache.ListerWatcher, store cache.ReflectorStore, s settings) scenario.Reflector
}

// settings are what the steps set of a reflector's options. Delays are what they are by default.
type settings struct {
	resync  time.Duration
	decided func(reflector.Doing, reflector.Decision) // ours alone tells of decisions
}

// both are this chapter's and client-go's.
var both = []implementation{
	{"ours", func(source cache.ListerWatcher, store cache.ReflectorStore, s settings) scenario.Reflector {
		o := reflector.Options{Name: "shop", ResyncPeriod: s.resync}
		o.Observer.Decision = func(doing reflector.Doing, _ error, d reflector.Decision, _ time.Duration) {
			if s.decided != nil {
				s.decided(doing, d)
			}
		}
		return reflector.New(source, &corev1.ConfigMap{}, store, o)
	}},
	{"client-go", func(source cache.ListerWatcher, store cache.ReflectorStore, s settings) scenario.Reflector {
		return cache.NewReflectorWithOptions(source, &corev1.ConfigMap{}, store,
			cache.ReflectorOptions{Name: "shop", ResyncPeriod: s.resync})
	}},
}

// run is a run of it that meets a mishap.
func (i implementation) run(l *lab.Lab, m scenario.Mishap, s settings) scenario.Run {
	return scenario.Run{Cluster: l.Cluster, Mishap: m,
		New: func(source cache.ListerWatcher, store cache.ReflectorStore) scenario.Reflector {
			return i.new(source, store, s)
		}}
}

// aloud is a run whose requests, failures, decisions, store calls and log show themselves.
func (i implementation) aloud(l *lab.Lab, m scenario.Mishap) scenario.Run {
	run := i.run(l, m, settings{decided: func(doing reflector.Doing, d reflector.Decision) { decided(l, doing, d) }})
	run.Request = func(r *http.Request) { l.Request(r) }
	run.Fault = func(text string) { l.Event("FAULT", "%s", text) }
	run.Told = func(call string) { l.Became("%s", call) }
	run.Logged = func(message string, err any) { show(l, message, err) }
	return run
}

// decided shows a decision: what had ended, and what follows.
func decided(l *lab.Lab, doing reflector.Doing, d reflector.Decision) {
	words := string(d.Next)
	for _, more := range []struct {
		says bool
		word string
	}{{d.Wait, "wait"}, {d.Forget, "forget the version"}, {d.Tell, "tell"}} {
		if more.says {
			words += ", " + more.word
		}
	}
	l.Conclude("%s: %s", doing, words)
}

// show shows a line of a log, without its time and place, which client-go prints around them.
func show(l *lab.Lab, message string, err any) {
	l.Event("LOG", "%s", message)
	if err == nil {
		return
	}
	for _, line := range lab.Wrap(fmt.Sprint("err: ", err), lab.Columns-len("LOG      ")) {
		l.Event("", "%s", line)
	}
}

// writer writes ConfigMaps as somebody else would, past all that goes wrong.
type writer struct {
	client *http.Client
	url    string // of the run's ConfigMaps
}

func newWriter(l *lab.Lab, client *http.Client) writer {
	return writer{client, l.Server.String() + "/api/v1/namespaces/" + l.Namespace + "/configmaps"}
}

// object is an object as JSON has it.
type object = map[string]any

// create makes ConfigMaps of the shop.
func (w writer) create(ctx context.Context, names ...string) error {
	for _, name := range names {
		metadata := object{"name": name, "labels": object{scenario.Label: "open"}}
		if _, err := lab.MustSendJSON(ctx, w.client, http.MethodPost, w.url, object{"metadata": metadata}); err != nil {
			return err
		}
	}
	return nil
}

// clear deletes all of them.
func (w writer) clear(ctx context.Context) error {
	_, err := lab.MustSendJSON(ctx, w.client, http.MethodDelete, w.url+"?labelSelector="+scenario.Label, nil)
	return err
}

func (w writer) delete(ctx context.Context, names ...string) error {
	for _, name := range names {
		if _, err := lab.MustSendJSON(ctx, w.client, http.MethodDelete, w.url+"/"+name, nil); err != nil {
			return err
		}
	}
	return nil
}

// filled says that the store had its first Replace.
func filled(s *scenario.Session) bool { return s.Calls("Replace") > 0 }

// has says that the store has an object.
func has(name string) func(*scenario.Session) bool {
	return func(s *scenario.Session) bool { return s.Has(name) }
}

// hasNot says that the store has it no more.
func hasNot(name string) func(*scenario.Session) bool {
	return func(s *scenario.Session) bool { return !s.Has(name) }
}

// asked says that the request after the failure was sent.
func asked(s *scenario.Session) bool {
	_, is := s.Next()
	return is
}
