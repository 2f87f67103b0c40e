package claims

import (
	"encoding/json"
	"net/http"
	"testing"

	"github.com/stretchr/testify/require"
	rbacv1 "k8s.io/api/rbac/v1"
	"sigs.k8s.io/yaml"

	"github.com/controllers-from-scratch/controllers-from-scratch/chapters/10-custom-resource/api"
)

// allow gives a service account of the test's namespace a role with these rules, and returns the headers of somebody
// who acts as that account. It waits until the rules are in effect: the authorizer learns of them by a watch.
func (s *stage) allow(account string, rules []rbacv1.PolicyRule) []string {
	s.t.Helper()
	user := "system:serviceaccount:" + s.Namespace + ":" + account
	rbac := "/apis/rbac.authorization.k8s.io/v1/namespaces/" + s.Namespace
	s.must(http.MethodPost, rbac+"/roles", object{"metadata": object{"name": account}, "rules": rules})
	s.must(http.MethodPost, rbac+"/rolebindings", object{"metadata": object{"name": account},
		"roleRef":  object{"apiGroup": "rbac.authorization.k8s.io", "kind": "Role", "name": account},
		"subjects": []any{object{"kind": "ServiceAccount", "name": account, "namespace": s.Namespace}}})
	as := []string{"Impersonate-User: " + user}
	s.until("the role of "+account+" is known", func() bool {
		return s.ask(http.MethodGet, s.path("processes"), nil, as...).OK()
	})
	return as
}

// A role that may write the status alone can't change what somebody asked for, and one that may write the object alone
// can't say what became of it.
//
// covers: S0-16 S0-17
func TestSpecAndStatusHaveTheirOwners(t *testing.T) {
	s := newStage(t)
	group := []string{"scratch.example.com"}
	may := func(resource string) []rbacv1.PolicyRule {
		return []rbacv1.PolicyRule{
			{APIGroups: group, Resources: []string{"processes"}, Verbs: []string{"get", "list"}},
			{APIGroups: group, Resources: []string{resource}, Verbs: []string{"update", "patch"}}}
	}
	controller, person := s.allow("controller", may("processes/status")), s.allow("person", may("processes"))
	s.must(http.MethodPost, s.path("processes"), process("web", nil))
	object, status := s.path("processes", "web"), s.path("processes", "web", "status")
	both := map[string]any{"spec": map[string]any{"gracePeriodSeconds": 99}, "status": running(7)}

	require.Equal(t, http.StatusForbidden, s.ask(http.MethodPatch, object, both, controller...).Code)
	require.Equal(t, http.StatusForbidden, s.ask(http.MethodPatch, status, both, person...).Code)
	after := s.must(http.MethodPatch, status, both, controller...)
	require.Equal(t, "10 7", after.Field("spec", "gracePeriodSeconds")+" "+after.Field("status", "pid"))
	both["status"] = running(8)
	after = s.must(http.MethodPatch, object, both, person...)
	require.Equal(t, "99 7", after.Field("spec", "gracePeriodSeconds")+" "+after.Field("status", "pid"))
}

// The role that the markers give allows what a controller of both kinds does, and no more.
//
// covers: S0-28
func TestTheRoleIsEnough(t *testing.T) {
	s := newStage(t)
	var role rbacv1.ClusterRole
	require.NoError(t, yaml.UnmarshalStrict(api.Role, &role))
	as := s.allow("controller", role.Rules)
	for _, r := range []struct {
		method, path string
		body         object
		code         int
	}{
		{http.MethodPost, s.path("processes"), process("web", nil), http.StatusCreated},
		{http.MethodGet, s.path("processsets"), nil, http.StatusOK},
		{http.MethodPatch, s.path("processes", "web"),
			object{"metadata": object{"finalizers": []any{"scratch.example.com/x"}}}, http.StatusOK},
		{http.MethodPatch, s.path("processes", "web", "status"), object{"status": running(7)}, http.StatusOK},
		{http.MethodPatch, s.path("processes", "web"), object{"metadata": object{"finalizers": nil}}, http.StatusOK},
		{http.MethodDelete, s.path("processes", "web"), nil, http.StatusOK},
		{http.MethodDelete, s.path("processes"), nil, http.StatusForbidden}, // deletecollection is a verb of its own
		{http.MethodGet, "/api/v1/namespaces/" + s.Namespace + "/secrets", nil, http.StatusForbidden},
		{http.MethodGet, crds, nil, http.StatusForbidden},
	} {
		var body any
		if r.body != nil {
			raw, err := json.Marshal(r.body)
			require.NoError(t, err)
			body = raw
		}
		a := s.ask(r.method, r.path, body, as...)
		require.Equal(t, r.code, a.Code, "%s %s: %s", r.method, r.path, a.Body)
	}
}
