// Package apply is what a controller says with server-side apply: its own fields, all of them, and nothing else. The
// controller adds a sidecar to Deployments that others have made.
package apply

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"slices"

	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/types"
	appsv1 "k8s.io/client-go/applyconfigurations/apps/v1"
	corev1 "k8s.io/client-go/applyconfigurations/core/v1"
	"sigs.k8s.io/controller-runtime/pkg/client"
)

// What others know the controller by.
const (
	Manager   = "sidecar.scratch.example.com"          // the field manager of all that it writes
	Revision  = "sidecar.scratch.example.com/revision" // an annotation: which sidecar it is
	Container = "proxy"                                // the name of the sidecar
)

// A Key is the namespace and the name of a Deployment.
type Key = types.NamespacedName

// An Applier is the part of client.Client that applies. Its errors are those of the API server or of the way there,
// and may be wrapped. When the API server accepts a request, the Applier decodes the whole object that comes back into
// obj, over what stands there.
type Applier interface {
	Apply(ctx context.Context, obj runtime.ApplyConfiguration, opts ...client.ApplyOption) error
}

// Wanted is what the controller wants of one Deployment.
type Wanted struct {
	Image    string            // the sidecar's. If it is empty, no sidecar is wanted
	Revision string            // the sidecar's
	Env      map[string]string // the sidecar's variables, by name
	Replicas *int32            // the Deployment's. If it is nil, the controller does not care
}

// Apply says what the controller wants of one Deployment, with server-side apply. It can't read, and need not.
//
// What a request says. It is a DeploymentApplyConfiguration:
//
//   - The apiVersion and the kind, and the name and the namespace of key.
//   - If Replicas is wanted: spec.replicas, also if it is 0.
//   - If a sidecar is wanted: the annotation Revision on the Deployment, with what Wanted has as Revision, and in its
//     pod template the Container, with name, image and env. In env there is each variable of Env with its name and its
//     value.
//   - The variables stand in the order of their names, as slices.Sort has it.
//   - A revision or a value that is empty is said all the same. It is the controller's field like any other.
//   - Nothing else. What is not wanted is not there, not even as an empty object: what the controller no longer says,
//     the API server takes away.
//
// How it is said:
//
//   - Each request has the field owner Manager. It has no other option but ForceOwnership, where that is due.
//   - The first request says all that is wanted, and does not force.
//   - If a conflict over fields refuses it, there is a second one at once. It says the same again, but for the
//     replicas if they are in conflict: whoever has them keeps them, and that is no failure.
//   - All other fields are the controller's. If one of these is in conflict, the second request has ForceOwnership.
//     Otherwise it has not.
//   - In every other case there is no second request, and there is never a third.
//
// What is in conflict stands in the status of the error, in the Field of each cause of the type
// metav1.CauseTypeFieldManagerConflict, as in .spec.replicas or .spec.template.spec.containers[name="proxy"].image.
// There may be several, and several of one field, one for each manager that has it. A conflict without such a cause is
// not one over fields.
//
// What is returned: nothing if the last request was accepted, whatever the first one's answer was. Otherwise the last
// request's error, bare or wrapped, so that errors.Is finds it. That is so too if there is no such Deployment: the API
// server makes none of a sidecar alone, and says so.
//
// How it is done:
//
//   - Apply waits for nothing but the Applier, and starts nothing that goes on after it. The Applier gets ctx, or one
//     that is made from it and ends when it does, and not earlier.
//   - Each call decides from want and from the answers to its own requests. What an earlier call met may be over.
//   - It may be called several times at one time.
//   - What want points to is as it was, also after the Applier has decoded into the configuration.
func Apply(ctx context.Context, over Applier, key Key, want Wanted) error {
	//solution:begin
	//todo: say what is wanted, and settle a conflict
	//stub: _, _, _ = errors.As, maps.Keys[map[string]string], slices.Sorted[string]
	//stub: _, _ = apierrors.IsConflict, metav1.CauseTypeFieldManagerConflict
	//stub: _, _ = appsv1.Deployment, corev1.Container
	//stub: return fmt.Errorf("nobody applies to %s yet", key)
	err := over.Apply(ctx, configuration(key, want), options(false)...)
	fields := conflicts(err)
	if len(fields) == 0 {
		return err
	}
	want, force := settle(want, fields)
	if err := over.Apply(ctx, configuration(key, want), options(force)...); err != nil {
		return fmt.Errorf("%s, after a conflict over %d fields: %w", key, len(fields), err)
	}
	return nil
	//solution:end
}

//solution:begin

// settle is what is still wanted after a conflict, and whether to force it.
func settle(want Wanted, fields []string) (still Wanted, force bool) {
	for _, field := range fields {
		if field == ".spec.replicas" {
			want.Replicas = nil
		} else {
			force = true
		}
	}
	return want, force
}

func options(force bool) []client.ApplyOption {
	all := []client.ApplyOption{client.FieldOwner(Manager)}
	if force {
		all = append(all, client.ForceOwnership)
	}
	return all
}

// conflicts are the fields that an error is about, if it is a conflict over fields.
func conflicts(err error) (fields []string) {
	var status apierrors.APIStatus
	if !apierrors.IsConflict(err) || !errors.As(err, &status) || status.Status().Details == nil {
		return nil
	}
	for _, cause := range status.Status().Details.Causes {
		if cause.Type == metav1.CauseTypeFieldManagerConflict {
			fields = append(fields, cause.Field)
		}
	}
	return fields
}

// configuration says what is wanted, and nothing else.
func configuration(key Key, want Wanted) *appsv1.DeploymentApplyConfiguration {
	deployment := appsv1.Deployment(key.Name, key.Namespace)
	if want.Image == "" && want.Replicas == nil {
		return deployment
	}
	deployment.WithSpec(appsv1.DeploymentSpec())
	if want.Replicas != nil {
		deployment.Spec.WithReplicas(*want.Replicas) // a copy: an answer is decoded into it
	}
	if want.Image != "" {
		deployment.WithAnnotations(map[string]string{Revision: want.Revision})
		deployment.Spec.WithTemplate(corev1.PodTemplateSpec().WithSpec(corev1.PodSpec().WithContainers(sidecar(want))))
	}
	return deployment
}

func sidecar(want Wanted) *corev1.ContainerApplyConfiguration {
	container := corev1.Container().WithName(Container).WithImage(want.Image)
	for _, name := range slices.Sorted(maps.Keys(want.Env)) {
		container.WithEnv(corev1.EnvVar().WithName(name).WithValue(want.Env[name]))
	}
	return container
}

//solution:end
