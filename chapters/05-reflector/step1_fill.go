package main

import (
	"context"
	"net/http"
	"strings"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/client-go/tools/cache"

	"github.com/controllers-from-scratch/controllers-from-scratch/chapters/05-reflector/reflector"
	"github.com/controllers-from-scratch/controllers-from-scratch/chapters/05-reflector/scenario"
	"github.com/controllers-from-scratch/controllers-from-scratch/internal/lab"
)

// watchSeconds is how long the server keeps a watch of step 1 open, in place of 5 to 10 minutes.
const watchSeconds int64 = 4

// fill is step 1: one request, and all that its response tells the store.
func fill(ctx context.Context, l *lab.Lab) error {
	w := newWriter(l, l.Aloud(l.HTTPClient()))
	if err := w.create(ctx, "menu", "prices"); err != nil {
		return err
	}
	run := bookmarksOnce(l)
	run.Tune = func(o *metav1.ListOptions) { *o.TimeoutSeconds = watchSeconds }
	s, err := run.Start(ctx)
	if err != nil {
		return err
	}
	defer s.Stop()
	if err := s.Quiet(ctx, filled); err != nil {
		return err
	}
	if err := w.create(ctx, "hours"); err != nil {
		return err
	}
	if err := s.Quiet(ctx, has("hours")); err != nil {
		return err
	}
	if err := w.delete(ctx, "prices"); err != nil {
		return err
	}
	if err := s.Quiet(ctx, hasNot("prices")); err != nil {
		return err
	}
	poster := object{"metadata": object{"name": "poster"}}
	if _, err := lab.MustSendJSON(ctx, w.client, http.MethodPost, w.url, poster); err != nil {
		return err
	}
	if err := s.Quiet(ctx, func(s *scenario.Session) bool { return s.Requests() >= 2 }); err != nil {
		return err
	}
	l.Conclude("One request brought the objects, their changes, and word of how far the stream has come. " +
		"When the server ended it, the reflector watched on from there.")
	return nil
}

// bookmarksOnce is a run that shows of the bookmarks in a row the last alone. The server sends one or several, as it
// likes, and the last one counts.
func bookmarksOnce(l *lab.Lab) scenario.Run {
	ours, last := both[0], ""
	run := ours.aloud(l, scenario.Mishap{})
	run.Told = func(call string) {
		if strings.HasPrefix(call, "Bookmark") {
			last = call
			return
		}
		l.Became("%s", call)
	}
	run.New = func(source cache.ListerWatcher, store cache.ReflectorStore) scenario.Reflector {
		return ours.new(source, store, settings{decided: func(doing reflector.Doing, d reflector.Decision) {
			l.Became("%s", last)
			decided(l, doing, d)
		}})
	}
	return run
}
