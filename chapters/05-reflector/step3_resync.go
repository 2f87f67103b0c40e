package main

import (
	"context"
	"encoding/json"
	"fmt"
	"net/http"
	"time"

	corev1 "k8s.io/api/core/v1"

	"github.com/controllers-from-scratch/controllers-from-scratch/chapters/05-reflector/scenario"
	"github.com/controllers-from-scratch/controllers-from-scratch/internal/lab"
)

// often is the resync period of step 3, in place of hours.
const often = 100 * time.Millisecond

// resyncs is how many are waited for.
const resyncs = 5

// resync is step 3: what it asks for, and what it repairs.
func resync(ctx context.Context, l *lab.Lab) error {
	w := newWriter(l, l.HTTPClient())
	if err := w.clear(ctx); err != nil { // what the step before left
		return err
	}
	if err := w.create(ctx, "lunch"); err != nil {
		return err
	}
	rows := [][]string{{""}, {"calls of Resync, at least"}, {"requests meanwhile"}, {"lunch in the store"},
		{"lunch on the server"}, {"lunch in the store, after the next change"}}
	for _, with := range both {
		column, err := poisoned(ctx, l, w, with)
		if err != nil {
			return err
		}
		for i, cell := range append([]string{with.name}, column...) {
			rows[i] = append(rows[i], cell)
		}
	}
	l.Table(rows...)
	l.Conclude("A resync sends no request and compares nothing. It tells the store to go through its objects once more, " +
		"for handlers that want to see each now and then. What is wrong in the store stays wrong " +
		"until the object changes on the server.")
	return nil
}

// poisoned has a reflector resync a store in which somebody has written to an object.
func poisoned(ctx context.Context, l *lab.Lab, w writer, with implementation) (column []string, err error) {
	s, err := with.run(l, scenario.Mishap{}, settings{resync: often}).Start(ctx)
	if err != nil {
		return nil, err
	}
	defer s.Stop()
	if err := s.Quiet(ctx, has("lunch")); err != nil {
		return nil, err
	}
	inStore, err := lunch(l, s)
	if err != nil {
		return nil, err
	}
	inStore.Labels[scenario.Label] = "closed" // what chapter 04's detector would find
	requests, calls := s.Requests(), s.Calls("Resync")
	enough := func(s *scenario.Session) bool { return s.Calls("Resync") >= calls+resyncs }
	if err := s.Wait(ctx, enough); err != nil {
		return nil, err
	}
	column = []string{fmt.Sprint(resyncs), fmt.Sprint(s.Requests() - requests), shop(inStore)}
	onServer, err := w.lunch(ctx, object{"data": object{"soup": with.name}}) // answers with the object
	if err != nil {
		return nil, err
	}
	isUpdated := func(s *scenario.Session) bool { return s.Calls("Update") == 1 }
	if err := s.Wait(ctx, isUpdated); err != nil {
		return nil, err
	}
	if inStore, err = lunch(l, s); err != nil {
		return nil, err
	}
	return append(column, shop(onServer), shop(inStore)), nil
}

// lunch is the object in the store.
func lunch(l *lab.Lab, s *scenario.Session) (*corev1.ConfigMap, error) {
	found, exists, err := s.Store.GetByKey(l.Namespace + "/lunch")
	if err != nil || !exists {
		return nil, fmt.Errorf("lunch is not in the store: %w", err)
	}
	return found.(*corev1.ConfigMap), nil
}

// lunch changes the object on the server, past the reflector, and returns what the server has then.
func (w writer) lunch(ctx context.Context, change object) (*corev1.ConfigMap, error) {
	answer, err := lab.MustSendJSON(ctx, w.client, http.MethodPatch, w.url+"/lunch", change)
	if err != nil {
		return nil, err
	}
	var lunch corev1.ConfigMap
	return &lunch, json.Unmarshal(answer, &lunch)
}

// shop is the label that all objects have.
func shop(o *corev1.ConfigMap) string { return scenario.Label + "=" + o.Labels[scenario.Label] }
