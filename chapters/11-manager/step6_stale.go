package main

import (
	"context"
	"fmt"
	"net/http"
	"strings"
	"time"

	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/utils/ptr"
	"sigs.k8s.io/controller-runtime/pkg/client"
	"sigs.k8s.io/controller-runtime/pkg/manager"

	before "github.com/controllers-from-scratch/controllers-from-scratch/chapters/09-controller/scenario"
	"github.com/controllers-from-scratch/controllers-from-scratch/chapters/11-manager/opened"
	"github.com/controllers-from-scratch/controllers-from-scratch/chapters/11-manager/scenario"
	"github.com/controllers-from-scratch/controllers-from-scratch/internal/lab"
)

// patience is how long a read may take until it is said to wait.
const patience = 300 * time.Millisecond

// Reads are timed in batches, and the best batch counts: other programs make the others slower.
const (
	batches  = 10
	readings = 2000
)

// stale is step 6: a read behind a write, by two clients.
func (t *tour) stale(ctx context.Context, l *lab.Lab) error {
	world, err := before.NewWorld(ctx, l, nil)
	if err != nil {
		return err
	}
	rows := [][]string{{"the client", "reads, while the watch is held", "reads, when it has told"}}
	costs := [][]string{{"the client", "a read", "sends, to create a Secret"}}
	for _, c := range []struct {
		name, object string
		consistent   bool
	}{
		{"as it comes", "plain", false},
		{"EnableReadYourWritesConsistency", "consistent", true},
	} {
		if err := world.SourceQuietly(ctx, c.object, "soup"); err != nil {
			return err
		}
		row, cost, err := t.readBehind(ctx, l, c.object, c.consistent)
		if err != nil {
			return fmt.Errorf("the client %s: %w", c.name, err)
		}
		rows = append(rows, append([]string{c.name}, row...))
		costs = append(costs, append([]string{c.name}, cost...))
	}
	l.Sent("client.Update: today=stew, where it was soup; then client.Get")
	l.Table(rows...)
	l.Say("What it costs, when nothing is outstanding:")
	l.Table(costs...)
	l.Conclude("The consistent client remembers what it has written, and a read waits until the watch has told of " +
		"it. To hear of that, it begins a watch of each kind that it writes. It is experimental, and knows no other " +
		"client's writes.")
	return nil
}

// readBehind writes an object and reads it while the watch is held back. Then it says what reads and writes cost.
func (t *tour) readBehind(ctx context.Context, l *lab.Lab, name string, consistent bool) (
	row, cost []string, err error) {
	var hold *before.Hold
	record := opened.New()
	m, err := t.manager(l, record, func(o *manager.Options) {
		o.Client.Cache = &client.CacheOptions{EnableReadYourWritesConsistency: ptr.To(consistent)}
	}, func(next http.RoundTripper) http.RoundTripper {
		hold = before.HoldAtUpdate(next, "configmaps")
		return hold
	})
	if err != nil {
		return nil, nil, err
	}
	running := scenario.Run(ctx, m.Start)
	defer func() { _ = running.Stop() }()
	defer hold.Release()
	object, key := &corev1.ConfigMap{}, client.ObjectKey{Namespace: l.Namespace, Name: name}
	if _, err := record.Await(ctx, happened(opened.Caches, "the cache", "has synced")); err != nil {
		return nil, nil, err
	}
	if err := m.GetClient().Get(ctx, key, object); err != nil { // which begins the watch
		return nil, nil, err
	}
	object.Data["today"] = "stew"
	if err := m.GetClient().Update(ctx, object); err != nil {
		return nil, nil, err
	}
	held, err := readOrWait(ctx, m, key)
	if err != nil {
		return nil, nil, err
	}
	hold.Release()
	told, err := readUntil(ctx, m, key, "stew")
	if err != nil {
		return nil, nil, err
	}
	cost, err = costs(ctx, m, record, key)
	return []string{held, told}, cost, err
}

// readOrWait reads an object, or gives up.
func readOrWait(ctx context.Context, m manager.Manager, key client.ObjectKey) (string, error) {
	short, cancel := context.WithTimeout(ctx, patience)
	defer cancel()
	var object corev1.ConfigMap
	err := m.GetClient().Get(short, key, &object)
	if short.Err() != nil && ctx.Err() == nil {
		return "nothing: it waits", nil
	}
	return object.Data["today"], err
}

// readUntil reads an object until it has a value, and returns that.
func readUntil(ctx context.Context, m manager.Manager, key client.ObjectKey, value string) (string, error) {
	var object corev1.ConfigMap
	var failed error
	err := before.Until(ctx, func() bool {
		failed = m.GetClient().Get(ctx, key, &object)
		return failed != nil || object.Data["today"] == value
	})
	if failed != nil {
		return "", failed
	}
	return object.Data["today"], err
}

// costs times a read of what the cache has, and shows what is sent to create an object of a kind that nobody watches.
func costs(ctx context.Context, m manager.Manager, record *opened.Record, key client.ObjectKey) ([]string, error) {
	var object corev1.ConfigMap
	best := time.Hour
	for range batches {
		begin := time.Now()
		for range readings {
			if err := m.GetClient().Get(ctx, key, &object); err != nil {
				return nil, err
			}
		}
		best = min(best, time.Since(begin))
	}
	each := (best / readings).Round(10 * time.Nanosecond)
	record.Restart()
	secret := &corev1.Secret{ObjectMeta: metav1.ObjectMeta{Namespace: key.Namespace, Name: "of-" + key.Name}}
	if err := m.GetClient().Create(ctx, secret); err != nil {
		return nil, err
	}
	return []string{each.String(), strings.Join(record.Lines(opened.Requests), ", then ")}, nil
}
