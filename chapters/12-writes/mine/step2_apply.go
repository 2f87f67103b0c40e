package main

import (
	"context"
	"errors"
	"fmt"

	appsv1 "k8s.io/api/apps/v1"
	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/types"
	"k8s.io/utils/ptr"
	"sigs.k8s.io/controller-runtime/pkg/client"

	apply "github.com/controllers-from-scratch/controllers-from-scratch/chapters/12-writes/exercises/2-apply"
	"github.com/controllers-from-scratch/controllers-from-scratch/internal/lab"
)

// applier is the API server's Apply, told of.
type applier struct {
	over client.Client
	l    *lab.Lab
}

// Apply implements apply.Applier.
func (a *applier) Apply(ctx context.Context, o runtime.ApplyConfiguration, options ...client.ApplyOption) error {
	forced := ""
	for _, option := range options {
		if option == client.ForceOwnership {
			forced = ", with force"
		}
	}
	a.l.Sent("apply%s", forced)
	err := a.over.Apply(ctx, o, options...)
	if err != nil {
		for _, line := range lab.Wrap(err.Error(), lab.Columns-2) {
			a.l.More("%s", line)
		}
	}
	return err
}

// shop is a Deployment. It is paused and has no replicas, so that no controller of the cluster has anything to do for
// it.
func shop(namespace string) *appsv1.Deployment {
	labels := map[string]string{"app": "shop"}
	return &appsv1.Deployment{ObjectMeta: metav1.ObjectMeta{Namespace: namespace, Name: "shop"},
		Spec: appsv1.DeploymentSpec{Paused: true, Replicas: ptr.To[int32](0),
			Selector: &metav1.LabelSelector{MatchLabels: labels},
			Template: corev1.PodTemplateSpec{ObjectMeta: metav1.ObjectMeta{Labels: labels}, Spec: corev1.PodSpec{
				Containers: []corev1.Container{{Name: "app", Image: "shop:1"}}}}}}
}

// sidecar is step 2.
func sidecar(ctx context.Context, l *lab.Lab) error {
	over, err := user(ctx, l)
	if err != nil {
		return err
	}
	object := shop(l.Namespace)
	if err := over.Create(ctx, object.DeepCopy(), client.FieldOwner("owner")); err != nil {
		return err
	}
	key := client.ObjectKeyFromObject(object)
	call := func(what string, want apply.Wanted, now shape) error {
		if err := apply.Apply(ctx, &applier{over: over, l: l}, key, want); err != nil {
			return wrong("12.2", "%s: %v", what, err)
		}
		return now.compare(ctx, l, over, key, what)
	}
	patch := func(who, text string) error {
		return over.Patch(ctx, shop(l.Namespace), client.RawPatch(types.StrategicMergePatchType, []byte(text)),
			client.FieldOwner(who))
	}
	both := map[string]string{"LEVEL": "info", "DEBUG": "no"}
	want := apply.Wanted{Image: "proxy:1", Revision: "1", Env: both}
	if err := call("the sidecar is put in", want, shape{0, "proxy:1", "DEBUG, LEVEL", "1"}); err != nil {
		return err
	}
	l.Say("The sidecar needs DEBUG no longer:")
	want.Env = map[string]string{"LEVEL": "info"}
	if err := call("DEBUG is gone", want, shape{0, "proxy:1", "LEVEL", "1"}); err != nil {
		return err
	}
	l.Say("An autoscaler sets 2 replicas, and the controller wants 1; somebody edits the image:")
	const edited = `{"spec":{"template":{"spec":{"containers":[{"name":"proxy","image":"other:1"}]}}}}`
	if err := errors.Join(patch("autoscaler", `{"spec":{"replicas":2}}`), patch("somebody", edited)); err != nil {
		return err
	}
	want.Replicas = ptr.To[int32](1)
	const taken = "the image is taken back, and the replicas are left"
	if err := call(taken, want, shape{2, "proxy:1", "LEVEL", "1"}); err != nil {
		return err
	}
	l.Say("No sidecar is wanted any more:")
	if err := call("the sidecar is gone", apply.Wanted{}, shape{replicas: 2}); err != nil {
		return err
	}
	l.Conclude("Your Apply says what is yours, takes back what is yours alone, and leaves the rest to its owners.")
	return nil
}

// shape is what there is to see of a Deployment.
type shape struct {
	replicas        int32
	image           string
	names, revision string
}

// compare looks whether it is so.
func (s shape) compare(ctx context.Context, l *lab.Lab, over client.Client, key client.ObjectKey, what string) error {
	var now appsv1.Deployment
	if err := over.Get(ctx, key, &now); err != nil {
		return err
	}
	got := shape{replicas: ptr.Deref(now.Spec.Replicas, 0), revision: now.Annotations[apply.Revision]}
	apps := 0
	for _, c := range now.Spec.Template.Spec.Containers {
		if c.Name != apply.Container {
			apps++
			continue
		}
		got.image = c.Image
		for i, e := range c.Env {
			if i > 0 {
				got.names += ", "
			}
			got.names += e.Name
		}
	}
	if got != s || apps != 1 {
		return wrong("12.2", "%s: it should have %v, and has %v and %d other containers", what, s, got, apps)
	}
	l.Became("%s:", what)
	l.More("%v", got)
	return nil
}

// String says it in a few words.
func (s shape) String() string {
	if s.image == "" {
		return fmt.Sprintf("%d replicas and no sidecar", s.replicas)
	}
	return fmt.Sprintf("%d replicas, the sidecar %s with %s, revision %s", s.replicas, s.image, s.names, s.revision)
}
