package writestest

import (
	"context"
	"errors"
	"fmt"

	"k8s.io/apimachinery/pkg/runtime"
	"sigs.k8s.io/controller-runtime/pkg/client"
	"sigs.k8s.io/controller-runtime/pkg/client/fake"
	"sigs.k8s.io/controller-runtime/pkg/client/interceptor"

	"github.com/controllers-from-scratch/controllers-from-scratch/chapters/10-custom-resource/api/v1alpha1"
)

// errEnded is what a program gets that has ended.
var errEnded = errors.New("the program has ended")

// world is upstream's fake client, which keeps objects in memory, and what was sent to it.
type world struct {
	client.WithWatch // past the record
	over             client.Client
	sent             []string // as in `status {"status":…}`
	limit            int      // of requests; the next one is not sent
	between          func()   // is called after the first request, once
}

// newWorld has one object.
func newWorld(object client.Object) (*world, error) {
	known := runtime.NewScheme()
	if err := v1alpha1.AddToScheme(known); err != nil {
		return nil, err
	}
	w := &world{limit: 100, WithWatch: fake.NewClientBuilder().WithScheme(known).
		WithStatusSubresource(&v1alpha1.Process{}).WithObjects(object).Build()}
	w.over = interceptor.NewClient(w.WithWatch, interceptor.Funcs{
		Patch: func(ctx context.Context, over client.WithWatch, o client.Object, p client.Patch,
			options ...client.PatchOption) error {
			return w.send("root", o, p, func() error { return over.Patch(ctx, o, p, options...) })
		},
		SubResourcePatch: func(ctx context.Context, over client.Client, sub string, o client.Object, p client.Patch,
			options ...client.SubResourcePatchOption) error {
			return w.send(sub, o, p, func() error { return over.SubResource(sub).Patch(ctx, o, p, options...) })
		},
		Update: func(context.Context, client.WithWatch, client.Object, ...client.UpdateOption) error {
			return errors.New("an update was sent, and a patch was asked for")
		},
	})
	return w, nil
}

// send writes down what is sent.
func (w *world) send(to string, o client.Object, p client.Patch, pass func() error) error {
	if len(w.sent) >= w.limit {
		return errEnded
	}
	data, err := p.Data(o)
	if err != nil {
		return err
	}
	w.sent = append(w.sent, fmt.Sprintf("%s %s %s", to, p.Type(), data))
	err = pass()
	if w.between != nil && len(w.sent) == 1 {
		w.between()
	}
	return err
}

// read is the object as it is kept.
func (w *world) read(ctx context.Context, key client.ObjectKey) (*v1alpha1.Process, error) {
	p := &v1alpha1.Process{}
	return p, w.Get(ctx, key, p)
}
