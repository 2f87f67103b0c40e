package main

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"strconv"
	"strings"
	"time"

	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/types"
	"sigs.k8s.io/controller-runtime/pkg/cache"
	"sigs.k8s.io/controller-runtime/pkg/client"
	"sigs.k8s.io/controller-runtime/pkg/manager"

	two "github.com/controllers-from-scratch/controllers-from-scratch/chapters/11-manager/exercises/3-two-controllers"
	"github.com/controllers-from-scratch/controllers-from-scratch/internal/lab"
)

// The annotations of the notes.
const (
	entries = "notes.scratch.example.com/entries"
	size    = "notes.scratch.example.com/size"
)

// notes have the run's namespace in their names: a name is taken once in a process.
func notes(namespace string) []two.Note {
	return []two.Note{
		{Name: "entries-" + namespace, Annotation: entries,
			Value: func(c *corev1.ConfigMap) string { return strconv.Itoa(len(c.Data)) }},
		{Name: "size-" + namespace, Annotation: size, Value: func(c *corev1.ConfigMap) string {
			n := 0
			for _, value := range c.Data {
				n += len(value)
			}
			return strconv.Itoa(n)
		}},
	}
}

// keep is step 3.
func (r *run) keep(ctx context.Context, l *lab.Lab) error {
	over, err := user(l)
	if err != nil {
		return err
	}
	menu := &corev1.ConfigMap{ObjectMeta: metav1.ObjectMeta{Namespace: l.Namespace, Name: "menu"},
		Data: map[string]string{"drink": "tea", "food": "soup"}}
	if err := over.Create(ctx, menu, client.FieldOwner("cook")); err != nil {
		return err
	}
	unsafe := func(o *manager.Options) { o.Cache.DefaultUnsafeDisableDeepCopy = new(true) }
	return under(ctx, l, unsafe, func(m manager.Manager) error {
		_, err := m.GetCache().GetInformer(ctx, &corev1.ConfigMap{}, cache.BlockUntilSynced(false))
		return errors.Join(err, two.Add(m, notes(l.Namespace)...))
	}, func(ctx context.Context) error {
		if err := r.noted(ctx, l, over, "2", "7"); err != nil {
			return err
		}
		patch := `{"data":{"snack":"nuts"},"metadata":{"annotations":{"example.com/by":"cook"}}}`
		l.Sent("another entry, and an annotation of the cook's")
		if err := over.Patch(ctx, menu, client.RawPatch(types.MergePatchType, []byte(patch)),
			client.FieldOwner("cook")); err != nil {
			return err
		}
		if err := r.noted(ctx, l, over, "3", "11"); err != nil {
			return err
		}
		return r.rest(ctx, l, over)
	})
}

func menu(ctx context.Context, l *lab.Lab, over client.Client) (*corev1.ConfigMap, error) {
	found := &corev1.ConfigMap{}
	return found, over.Get(ctx, client.ObjectKey{Namespace: l.Namespace, Name: "menu"}, found)
}

// noted waits for both notes.
func (r *run) noted(ctx context.Context, l *lab.Lab, over client.Client, ofEntries, ofSize string) error {
	err := r.until(ctx, "11.3", func() (string, error) {
		found, err := menu(ctx, l, over)
		if found.Annotations[entries] == ofEntries && found.Annotations[size] == ofSize {
			return "", err
		}
		return fmt.Sprintf("the notes should be entries=%s size=%s, and the annotations are %v", ofEntries, ofSize,
			found.Annotations), err
	})
	if err == nil {
		l.Became("entries=%s size=%s", ofEntries, ofSize)
	}
	return err
}

// rest looks at who has written what, and whether anybody still writes.
func (r *run) rest(ctx context.Context, l *lab.Lab, over client.Client) error {
	before, err := menu(ctx, l, over)
	if err != nil {
		return err
	}
	select {
	case <-time.After(time.Second):
	case <-ctx.Done():
		return context.Cause(ctx)
	}
	after, err := menu(ctx, l, over)
	if err != nil {
		return err
	}
	if before.ResourceVersion != after.ResourceVersion {
		return wrong("11.3", "both notes are right, and a second later somebody has written again")
	}
	for _, note := range notes(l.Namespace) {
		short, _, _ := strings.Cut(note.Name, "-")
		if manager := owner(after, note.Annotation); manager != note.Name {
			return wrong("11.3", "the note %s should be managed by %q, and is by %q", short, note.Name, manager)
		}
		l.Wire("managedFields: %s is managed by the controller %s", note.Annotation, short)
	}
	if after.Annotations["example.com/by"] != "cook" {
		return wrong("11.3", "somebody has taken away the cook's annotation")
	}
	l.Conclude("Each note has its own manager, the cook's annotation is there, and nobody writes any more.")
	return nil
}

// owner is the field manager of an annotation.
func owner(c *corev1.ConfigMap, annotation string) string {
	for _, entry := range c.ManagedFields {
		var fields struct {
			Metadata struct {
				Annotations map[string]any `json:"f:annotations"`
			} `json:"f:metadata"`
		}
		if entry.FieldsV1 == nil || json.Unmarshal(entry.FieldsV1.GetRawBytes(), &fields) != nil {
			continue
		}
		if _, ok := fields.Metadata.Annotations["f:"+annotation]; ok {
			return entry.Manager
		}
	}
	return ""
}
