package claims

import (
	"context"
	"net/http"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
	authorizationv1 "k8s.io/api/authorization/v1"
	corev1 "k8s.io/api/core/v1"
	rbacv1 "k8s.io/api/rbac/v1"
	"k8s.io/apimachinery/pkg/types"
	"k8s.io/apimachinery/pkg/util/wait"
	"k8s.io/client-go/transport"
	"k8s.io/utils/ptr"
	"sigs.k8s.io/controller-runtime/pkg/client"

	"github.com/controllers-from-scratch/controllers-from-scratch/internal/testkit/cluster"
)

// lets gives somebody rights in the namespace, such as "delete configmaps".
func (s *site) lets(user string, rights ...string) {
	s.t.Helper()
	role := &rbacv1.Role{ObjectMeta: s.named(user)}
	for _, right := range rights {
		verb, resource, _ := strings.Cut(right, " ")
		role.Rules = append(role.Rules,
			rbacv1.PolicyRule{APIGroups: []string{""}, Resources: []string{resource}, Verbs: []string{verb}})
	}
	made(s, role)
	made(s, &rbacv1.RoleBinding{ObjectMeta: s.named(user),
		RoleRef:  rbacv1.RoleRef{APIGroup: rbacv1.GroupName, Kind: "Role", Name: user},
		Subjects: []rbacv1.Subject{{APIGroup: rbacv1.GroupName, Kind: rbacv1.UserKind, Name: user}}})
}

// awaitRight returns when the server goes by a right, and by those given before. It learns of them by watches, in their
// order, and nothing announces that it has.
func (s *site) awaitRight(user, verb string) {
	s.t.Helper()
	err := wait.PollUntilContextTimeout(s.t.Context(), 20*time.Millisecond, time.Minute, true,
		func(ctx context.Context) (bool, error) {
			review := &authorizationv1.SubjectAccessReview{Spec: authorizationv1.SubjectAccessReviewSpec{User: user,
				ResourceAttributes: &authorizationv1.ResourceAttributes{Namespace: s.Namespace, Verb: verb,
					Resource: "configmaps"}}}
			err := s.user.Create(ctx, review)
			return review.Status.Allowed, err
		})
	require.NoError(s.t, err)
}

// as is a client of somebody else, who asks the same server.
func (s *site) as(user string) client.Client {
	s.t.Helper()
	over := transport.NewImpersonatingRoundTripper(transport.ImpersonationConfig{UserName: user},
		s.HTTPClient().Transport)
	c, err := client.New(s.access, client.Options{HTTPClient: &http.Client{Transport: over}, Scheme: s.user.Scheme(),
		Mapper: s.user.RESTMapper()})
	require.NoError(s.t, err)
	return c
}

// An API server with the plugin OwnerReferencesPermissionEnforcement asks whether somebody who writes a reference that
// blocks the owner's deletion may update the owner's finalizers. A reference that does not block needs no right at a
// creation. To change the references of an object is for those who may delete it. Without the plugin nobody is asked.
func TestWhoMayBlockADeletion(t *testing.T) {
	enforced := siteOn(t, cluster.Private(t, "enable-admission-plugins=OwnerReferencesPermissionEnforcement"))
	usual := siteOn(t, cluster.New(t))
	for s, refuses := range map[*site]bool{enforced: true, usual: false} {
		s.lets("maker", "create configmaps", "patch configmaps")
		s.lets("blocker", "create configmaps", "update configmaps/finalizers")
		s.lets("deleter", "patch configmaps", "delete configmaps")
		s.awaitRight("deleter", "delete")
		owner := made(s, s.configMap("owner"))
		child := func(name string, blocks *bool) *corev1.ConfigMap {
			c := s.configMap(name)
			c.OwnerReferences = append(c.OwnerReferences, s.belongsTo(owner))
			c.OwnerReferences[0].BlockOwnerDeletion = blocks
			return c
		}
		meets := func(err error, words string) {
			t.Helper()
			if !refuses {
				require.NoError(t, err)
				return
			}
			require.Contains(t, refused(t, http.StatusForbidden, err), words)
		}
		maker := s.as("maker")
		meets(maker.Create(t.Context(), child("blocks", ptr.To(true))),
			"cannot set blockOwnerDeletion if an ownerReference refers to a resource you can't set finalizers on")
		require.NoError(t, s.as("blocker").Create(t.Context(), child("may-block", ptr.To(true))))
		require.NoError(t, maker.Create(t.Context(), child("lets-go", nil)))

		require.NoError(t, maker.Create(t.Context(), s.configMap("orphan")))
		adoption := client.RawPatch(types.MergePatchType, []byte(`{"metadata":{"ownerReferences":[{"apiVersion":"v1",`+
			`"kind":"ConfigMap","name":"owner","uid":"`+string(owner.UID)+`"}]}}`))
		meets(maker.Patch(t.Context(), s.configMap("orphan"), adoption),
			"cannot set an ownerRef on a resource you can't delete")
		require.NoError(t, s.as("deleter").Patch(t.Context(), s.configMap("orphan"), adoption))
	}
}
