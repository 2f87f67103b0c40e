// Package apply is another right solution of exercise 12.2: a loop, and configurations that are struct literals.
package apply

import (
	"context"
	"errors"
	"slices"
	"strings"

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

// An Applier is the part of client.Client that applies.
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

// Apply says what the controller wants of one Deployment: at most twice, and the second time with what a conflict left.
func Apply(ctx context.Context, over Applier, key Key, want Wanted) error {
	owner, options := client.FieldOwner(Manager), []client.ApplyOption(nil)
	for second := false; ; second = true {
		deployment := deployment(key)
		want.addReplicas(deployment)
		want.addSidecar(deployment)
		err := over.Apply(ctx, deployment, append(options, owner)...)
		var refused *apierrors.StatusError
		if second || !errors.As(err, &refused) || !apierrors.IsConflict(refused) || refused.ErrStatus.Details == nil {
			return err
		}
		causes := slices.DeleteFunc(slices.Clone(refused.ErrStatus.Details.Causes), func(c metav1.StatusCause) bool {
			return c.Type != metav1.CauseTypeFieldManagerConflict
		})
		if len(causes) == 0 {
			return err
		}
		others := slices.DeleteFunc(slices.Clone(causes), ofReplicas)
		if len(others) < len(causes) {
			want.Replicas = nil
		}
		if len(others) > 0 {
			options = append(options, client.ForceOwnership)
		}
	}
}

func ofReplicas(cause metav1.StatusCause) bool { return cause.Field == ".spec.replicas" }

func deployment(key Key) *appsv1.DeploymentApplyConfiguration {
	d := &appsv1.DeploymentApplyConfiguration{}
	return d.WithKind("Deployment").WithAPIVersion("apps/v1").WithNamespace(key.Namespace).WithName(key.Name)
}

func (w Wanted) addReplicas(d *appsv1.DeploymentApplyConfiguration) {
	if w.Replicas != nil {
		d.Spec = &appsv1.DeploymentSpecApplyConfiguration{Replicas: new(*w.Replicas)}
	}
}

func (w Wanted) addSidecar(d *appsv1.DeploymentApplyConfiguration) {
	if w.Image == "" {
		return
	}
	if d.Spec == nil {
		d.Spec = appsv1.DeploymentSpec()
	}
	d.WithAnnotations(map[string]string{Revision: w.Revision})
	c := corev1.ContainerApplyConfiguration{Name: new(Container), Image: new(w.Image)}
	for name, value := range w.Env {
		c.Env = append(c.Env, corev1.EnvVarApplyConfiguration{Name: new(name), Value: new(value)})
	}
	slices.SortFunc(c.Env, func(a, b corev1.EnvVarApplyConfiguration) int { return strings.Compare(*a.Name, *b.Name) })
	d.Spec.Template = corev1.PodTemplateSpec().WithSpec(&corev1.PodSpecApplyConfiguration{
		Containers: []corev1.ContainerApplyConfiguration{c},
	})
}
