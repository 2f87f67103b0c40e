package scenario

import (
	"context"
	"fmt"
	"slices"
	"strings"

	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"sigs.k8s.io/controller-runtime/pkg/client"

	"github.com/controllers-from-scratch/controllers-from-scratch/chapters/10-custom-resource/api/v1alpha1"
)

// The finalizers of other controllers.
const (
	goes  = "example.com/goes"
	stays = "example.com/stays"
	comes = "example.com/comes"
)

// Meanwhile is what happens between a read and the write that takes the finalizer out.
type Meanwhile struct {
	Name   string
	Begins []string // the finalizers before
	Delete bool     // the object is being deleted
	Does   func(ctx context.Context, over client.Client, o *v1alpha1.Process) error
	Keeps  []string // what has to be left
}

// Meanwhiles are those of the table.
func Meanwhiles() []Meanwhile {
	nothing := func(context.Context, client.Client, *v1alpha1.Process) error { return nil }
	return []Meanwhile{
		{"nothing", []string{Mine}, true, nothing, nil},
		{"a status comes", []string{Mine}, true,
			func(ctx context.Context, over client.Client, o *v1alpha1.Process) error {
				o.Status.Phase = v1alpha1.PhaseFailed
				return over.Status().Update(ctx, o)
			}, nil},
		{"one comes", []string{Mine}, false,
			func(ctx context.Context, over client.Client, o *v1alpha1.Process) error {
				o.Finalizers = append(o.Finalizers, comes)
				return over.Update(ctx, o)
			}, []string{comes}},
		{"one goes", []string{goes, Mine, stays}, true,
			func(ctx context.Context, over client.Client, o *v1alpha1.Process) error {
				o.Finalizers = slices.DeleteFunc(o.Finalizers, func(k string) bool { return k == goes })
				return over.Update(ctx, o)
			}, []string{stays}},
		{"done before", []string{Mine}, true,
			func(ctx context.Context, over client.Client, o *v1alpha1.Process) error {
				o.Finalizers = nil
				return over.Update(ctx, o)
			}, nil},
	}
}

// Outcome is what came of a Way: the answer, and what it has done that it should not.
type Outcome struct {
	Answer string
	Wrong  string // or nothing
}

// String is the cell of a table.
func (o Outcome) String() string {
	code, _, _ := strings.Cut(o.Answer, " ")
	return strings.TrimSuffix(code+", "+o.Wrong, ", ")
}

// Try makes an object, reads it, has something happen meanwhile, and sends what a way sends. Nothing is left of it.
func Try(ctx context.Context, over client.Client, namespace string, w Way, m Meanwhile) (Outcome, error) {
	p, err := m.begin(ctx, over, namespace)
	if err != nil {
		return Outcome{}, fmt.Errorf("%s: %w", m.Name, err)
	}
	read := p.DeepCopy()
	if err := m.Does(ctx, over, p); err != nil {
		return Outcome{}, fmt.Errorf("%s: %w", m.Name, err)
	}
	answer, now := Code(w.Send(ctx, over, read.DeepCopy())), &v1alpha1.Process{}
	err = over.Get(ctx, client.ObjectKeyFromObject(read), now)
	if apierrors.IsNotFound(err) {
		now = nil
	} else if err != nil {
		return Outcome{}, err
	}
	return Outcome{answer, m.wrong(answer, read, now)}, clean(ctx, over, now)
}

// begin makes the object. The finalizer that is to go is applied, so that an apply can take it out.
func (m Meanwhile) begin(ctx context.Context, over client.Client, namespace string) (*v1alpha1.Process, error) {
	at := slices.Index(m.Begins, Mine)
	p := &v1alpha1.Process{ObjectMeta: metav1.ObjectMeta{Namespace: namespace, GenerateName: "try-",
		Finalizers: m.Begins[:at]}, Spec: v1alpha1.ProcessSpec{Command: "sleep"}}
	key := func() client.ObjectKey { return client.ObjectKeyFromObject(p) }
	err := over.Create(ctx, p)
	if err == nil {
		err = Apply(ctx, over, p, []string{Mine})
	}
	if err == nil {
		err = over.Get(ctx, key(), p)
	}
	if after := m.Begins[at+1:]; err == nil && len(after) > 0 {
		p.Finalizers = append(p.Finalizers, after...)
		err = over.Update(ctx, p)
	}
	if err == nil && m.Delete {
		err = over.Delete(ctx, p.DeepCopy())
	}
	if err == nil {
		err = over.Get(ctx, key(), p)
	}
	return p, err
}

// wrong is what should not have come of it, in a word: another controller's finalizer is lost, the one that was to go
// is kept although the answer is ok, or there is an object anew that was gone. now is the object, or nil if there is
// none.
func (m Meanwhile) wrong(answer string, read, now *v1alpha1.Process) string {
	var left []string
	switch {
	case now != nil && now.UID != read.UID:
		return "anew"
	case now != nil:
		left = now.Finalizers
	}
	for _, k := range m.Keeps {
		if !slices.Contains(left, k) {
			return "lost"
		}
	}
	if answer == "ok" && slices.Contains(left, Mine) {
		return "kept"
	}
	return ""
}

// clean removes an object, if there is one.
func clean(ctx context.Context, over client.Client, now *v1alpha1.Process) error {
	if now == nil {
		return nil
	}
	if err := merge(ctx, over, now, map[string]any{"finalizers": nil}); client.IgnoreNotFound(err) != nil {
		return err
	}
	return client.IgnoreNotFound(over.Delete(ctx, now))
}
