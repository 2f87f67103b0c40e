package writes_test

import (
	"context"
	"fmt"
	"testing"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"sigs.k8s.io/controller-runtime/pkg/client"
	"sigs.k8s.io/controller-runtime/pkg/controller/controllerutil"
	"sigs.k8s.io/controller-runtime/pkg/reconcile"
	"sigs.k8s.io/structured-merge-diff/v6/fieldpath"

	"github.com/controllers-from-scratch/controllers-from-scratch/chapters/10-custom-resource/api/v1alpha1"
	"github.com/controllers-from-scratch/controllers-from-scratch/chapters/12-writes/writes"
)

// large is a Process with much in it, of which little changes.
func large() *v1alpha1.Process {
	p := web()
	p.ResourceVersion = "7"
	for i := range 60 {
		p.Spec.Args = append(p.Spec.Args, fmt.Sprintf("--flag-%d=value", i))
		p.Spec.Env = append(p.Spec.Env, v1alpha1.EnvVar{Name: fmt.Sprintf("NAME_%d", i), Value: "value"})
	}
	return p
}

// BenchmarkMergeFrom makes a patch of an object of which one number has changed.
func BenchmarkMergeFrom(b *testing.B) {
	before := large()
	after := before.DeepCopy()
	after.Status.Restarts++
	data := func(b *testing.B, make func() (client.Patch, error)) {
		b.ReportAllocs()
		for b.Loop() {
			patch, err := make()
			if err == nil {
				_, err = patch.Data(after)
			}
			if err != nil {
				b.Fatal(err)
			}
		}
	}
	b.Run("impl=ours", func(b *testing.B) {
		data(b, func() (client.Patch, error) { return writes.MergeFrom(before, writes.Locked) })
	})
	b.Run("impl=upstream", func(b *testing.B) {
		data(b, func() (client.Patch, error) {
			return client.MergeFromWithOptions(before.DeepCopy(), client.MergeFromWithOptimisticLock{}), nil
		})
	})
}

// BenchmarkOwners reads who owns the fields of an object with a hundred of them.
func BenchmarkOwners(b *testing.B) {
	set := fieldpath.NewSet()
	for i := range 100 {
		set.Insert(fieldpath.MakePathOrDie("spec", fieldpath.KeyByFields("name", fmt.Sprint(i)), "value"))
	}
	raw, err := set.ToJSON()
	if err != nil {
		b.Fatal(err)
	}
	entries := []metav1.ManagedFieldsEntry{{Manager: "ann", FieldsV1: metav1.NewFieldsV1(string(raw))}}
	b.Run("impl=ours", func(b *testing.B) {
		b.ReportAllocs()
		for b.Loop() {
			if _, err := writes.Owners(entries); err != nil {
				b.Fatal(err)
			}
		}
	})
	b.Run("impl=upstream", func(b *testing.B) {
		b.ReportAllocs()
		for b.Loop() {
			read, paths := fieldpath.NewSet(), []string(nil)
			if err := read.FromJSON(entries[0].FieldsV1.GetRawReader()); err != nil {
				b.Fatal(err)
			}
			read.Leaves().Iterate(func(p fieldpath.Path) { paths = append(paths, p.String()) })
		}
	})
}

// BenchmarkSave saves spec and status of one object, in memory.
func BenchmarkSave(b *testing.B) {
	change := func(p *v1alpha1.Process) {
		p.Status.Restarts++
		p.Labels = map[string]string{"n": fmt.Sprint(p.Status.Restarts)}
	}
	b.Run("impl=ours", func(b *testing.B) {
		over := memory(web())
		base := writes.New(over, func(_ context.Context, p *v1alpha1.Process) (r reconcile.Result, err error) {
			change(p)
			return r, nil
		})
		for b.Loop() {
			if _, err := base.Reconcile(b.Context(), request()); err != nil {
				b.Fatal(err)
			}
		}
	})
	b.Run("impl=upstream", func(b *testing.B) {
		over := memory(web())
		for b.Loop() {
			p := &v1alpha1.Process{ObjectMeta: metav1.ObjectMeta{Namespace: "default", Name: "web"}}
			if _, err := controllerutil.CreateOrPatch(b.Context(), over, p, func() error {
				change(p)
				return nil
			}); err != nil {
				b.Fatal(err)
			}
		}
	})
}
