package main

import (
	"context"
	"net/http"

	"github.com/controllers-from-scratch/controllers-from-scratch/chapters/01-raw-watch/watch"
	"github.com/controllers-from-scratch/controllers-from-scratch/internal/lab"
)

// selector is step 6: the types of events are relative to what the watch selects.
func selector(ctx context.Context, l *lab.Lab) error {
	version, err := newest(ctx, l)
	if err != nil {
		return err
	}
	options := watch.Options{LabelSelector: "drink=tea", ResourceVersion: version}
	stream, err := clientOf(l).Watch(ctx, configMaps(l), options)
	if err != nil {
		return err
	}
	defer stream.Close()
	for _, edit := range []struct{ drink, note string }{
		{"tea", "it exists since step 1, and is new to this watch"},
		{"coffee", "it exists, and this is how the watch last saw it"},
	} {
		change := object{"metadata": object{"labels": object{"drink": edit.drink}}}
		if err := aloud(l).patch(ctx, "black", change); err != nil {
			return err
		}
		event, meta, err := next(stream)
		if err != nil {
			return err
		}
		l.Event(string(event.Type), "%s with drink=%s: %s", meta.Name, meta.Labels["drink"], edit.note)
	}
	answer, err := lab.MustSendJSON(ctx, l.Aloud(l.HTTPClient()), http.MethodGet,
		l.Server.String()+configMaps(l, "black"), nil)
	if err != nil {
		return err
	}
	meta, err := watch.MetaOf(answer)
	if err != nil {
		return err
	}
	l.Wire("%s (%s) with drink=%s", meta.Name, meta.ResourceVersion, meta.Labels["drink"])
	l.Conclude("ADDED means \"came into view\" and DELETED means \"left the view\". " +
		"A controller that cleans up on DELETED has now thrown away a living object's things.")
	return nil
}
