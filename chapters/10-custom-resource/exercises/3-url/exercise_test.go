package url_test

import (
	"errors"
	"fmt"
	"net/http"
	"sync"
	"testing"

	"k8s.io/apimachinery/pkg/api/meta"

	. "github.com/controllers-from-scratch/controllers-from-scratch/chapters/10-custom-resource/exercises/3-url"
	"github.com/controllers-from-scratch/controllers-from-scratch/internal/exercise"
)

func TestTheNameIsInTheDocument(t *testing.T) {
	exercise.Attempted(t)
	const s = "the belief that a resource is called like its kind in lower case, with an s"
	const rule = "the belief that a rule makes the plural. Whoever wrote a CRD has chosen it"
	x := begin(t)
	x.calls("v1 ServiceAccount", "v1 serviceaccounts", nil)
	x.calls("networking.k8s.io/v1 Ingress", "networking.k8s.io/v1 ingresses", clues{"networking.k8s.io/v1 ingresss": s})
	x.calls("networking.k8s.io/v1 NetworkPolicy", "networking.k8s.io/v1 networkpolicies",
		clues{"networking.k8s.io/v1 networkpolicys": s})
	x.calls("v1 Endpoints", "v1 endpoints", clues{"v1 endpointss": s, "v1 endpointses": rule})
	x.calls("zoo.example.com/v1 Mouse", "zoo.example.com/v1 mice", clues{"zoo.example.com/v1 mouses": rule})
	x.calls("zoo.example.com/v1 Zebra", "zoo.example.com/v1 zebra", nil)
}

func TestTheScopeIsInTheDocument(t *testing.T) {
	exercise.Attempted(t)
	x := begin(t)
	x.finds("v1 ServiceAccount", "v1 serviceaccounts", nil)
	x.finds("v1 Node", "v1 nodes, cluster-scoped", nil)
	x.finds("rbac.authorization.k8s.io/v1 Role", "rbac.authorization.k8s.io/v1 roles", nil)
	x.finds("rbac.authorization.k8s.io/v1 ClusterRole", "rbac.authorization.k8s.io/v1 clusterroles, cluster-scoped", nil)
	x.finds("networking.k8s.io/v1 IngressClass", "networking.k8s.io/v1 ingressclasses, cluster-scoped", nil)
}

func TestSubresources(t *testing.T) {
	exercise.Attempted(t)
	const own = "the belief that each entry is a resource. One with a slash in its name is a part of another's objects"
	x := begin(t)
	x.finds("apps/v1 Deployment", "apps/v1 deployments", clues{"apps/v1 deployments/status": own})
	x.finds("v1 Pod", "v1 pods", clues{"v1 pods/status": own})
	x.finds("v1 Namespace", "v1 namespaces, cluster-scoped", clues{"v1 namespaces/finalize, cluster-scoped": own})
	x.finds("v1 Binding", "v1 bindings", clues{"v1 pods/binding": own})
	x.finds("apps/v1 Scale", nobody, clues{"apps/v1 deployments/scale": own})
	x.finds("autoscaling/v1 Scale", nobody, nil)
	x.finds("v1 PodExecOptions", nobody, clues{"v1 pods/exec": own})
	x.finds("v1 NodeProxyOptions", nobody, clues{"v1 nodes/proxy, cluster-scoped": own})
}

func TestThisVeryKind(t *testing.T) {
	exercise.Attempted(t)
	const group = "the belief that the Kind says it all. Anybody may have a kind of that name in a group of their own"
	const version = "the belief that what one version of a group has all of them have"
	x := begin(t)
	x.finds("v1 Event", "v1 events", nil)
	x.finds("events.k8s.io/v1 Event", "events.k8s.io/v1 events", clues{"v1 events": group})
	x.finds("apps/v1 Event", nobody, clues{
		"v1 events": group, "events.k8s.io/v1 events": group, "apps/v1 events": group})
	x.finds("zoo.example.com/v1 Mouse", "zoo.example.com/v1 mice", nil)
	x.finds("zoo.example.com/v2 Mouse", "zoo.example.com/v2 mousekind, cluster-scoped", clues{
		"zoo.example.com/v1 mice": version, "zoo.example.com/v2 mice": version})
	x.finds("zoo.example.com/v2 Zebra", nobody, clues{
		"zoo.example.com/v1 zebra, cluster-scoped": version, "zoo.example.com/v2 zebra, cluster-scoped": version})
	x.finds("zoo.example.com/v3 Mouse", nobody, nil)
	x.finds("v1 pod", nobody, nil)
	x.finds("v1 pods", nobody, nil)
}

func TestRequests(t *testing.T) {
	exercise.Attempted(t)
	x := begin(t)
	exercise.Expect(t, len(x.asked) == 0, exercise.Verdict{Expected: "New sends no request", Happened: x.took()})
	again := clues{"v1 pods, with GET /api/v1": "the belief that the API server has to be asked for each object. It describes kinds"}
	x.asks("at first", "v1 Pod", "v1 pods", "GET /api/v1", nil)
	x.asks("after a Find of it", "v1 Pod", "v1 pods", "no request", again)
	x.asks("after a Find of v1 Pod", "v1 Node", "v1 nodes, cluster-scoped", "no request", nil)
	x.asks("after a Find of v1 Pod", "apps/v1 Deployment", "apps/v1 deployments", "GET /apis/apps/v1", nil)
	x.asks("after a Find of apps/v1 Deployment", "v1 Pod", "v1 pods", "no request", again)
	x.asks("at first", "zoo.example.com/v2 Mouse", "zoo.example.com/v2 mousekind, cluster-scoped",
		"GET /apis/zoo.example.com/v2", nil)
	x.asks("after a Find of zoo.example.com/v2 Mouse", "zoo.example.com/v1 Mouse", "zoo.example.com/v1 mice",
		"GET /apis/zoo.example.com/v1", nil)
	x.asks("after all these", "v9 Frog", nobody, "GET /api/v9", nil)
	x.asks("after all these", "frogs.example.com/v1 Frog", nobody, "GET /apis/frogs.example.com/v1", nil)
	other := begin(t)
	other.asks("another Finder has found it, of another server", "v1 Pod", "v1 pods", "GET /api/v1", nil)
}

func TestAKindThatComesLater(t *testing.T) {
	exercise.Attempted(t)
	const path, get = "/apis/zoo.example.com/v1", "GET /apis/zoo.example.com/v1"
	known := clues{nobody + unasked: "the belief that what a group version has is known once it was asked. CRDs come at any time"}
	missed := clues{nobody + unasked: "the belief that what is not there once is never there. A controller may be older than the CRD"}
	x := begin(t)
	x.asks("at first", "zoo.example.com/v1 Mouse", "zoo.example.com/v1 mice", get, nil)
	x.set(path, "mice Mouse\nowls Owl")
	x.asks("a Find of Mouse, then comes a CRD of Owl", "zoo.example.com/v1 Owl", "zoo.example.com/v1 owls", get, known)
	x.asks("after that", "zoo.example.com/v1 Owl", "zoo.example.com/v1 owls", "no request", nil)
	x.asks("after that", "zoo.example.com/v1 Mouse", "zoo.example.com/v1 mice", "no request", nil)
	x.asks("nobody has a Frog", "zoo.example.com/v1 Frog", nobody, get, nil)
	x.asks("nobody had a Frog", "zoo.example.com/v1 Frog", nobody, get, missed)
	x.set(path, "mice Mouse\nowls Owl\nfrogs Frog")
	x.asks("twice nobody had a Frog, then comes its CRD", "zoo.example.com/v1 Frog", "zoo.example.com/v1 frogs", get,
		missed)
	x.asks("nobody has the group", "pond.example.com/v1 Frog", nobody, "GET /apis/pond.example.com/v1", nil)
	x.set("/apis/pond.example.com/v1", "frogs Frog -")
	x.asks("nobody had the group, then comes its first CRD", "pond.example.com/v1 Frog",
		"pond.example.com/v1 frogs, cluster-scoped", "GET /apis/pond.example.com/v1", missed)
}

func TestTheLastDocumentCounts(t *testing.T) {
	exercise.Attempted(t)
	const path, get = "/apis/zoo.example.com/v1", "GET /apis/zoo.example.com/v1"
	x := begin(t)
	x.asks("at first", "zoo.example.com/v1 Mouse", "zoo.example.com/v1 mice", get, nil)
	x.set(path, "mousekind Mouse -\nowls Owl")
	x.asks("Mouse was found, then gets another CRD, and Owl one", "zoo.example.com/v1 Owl", "zoo.example.com/v1 owls", get, nil)
	x.asks("the last document has another entry for it", "zoo.example.com/v1 Mouse",
		"zoo.example.com/v1 mousekind, cluster-scoped", "no request", nil)
	x.set(path, "owls Owl")
	x.asks("Mouse was found, then its CRD goes", "zoo.example.com/v1 Frog", nobody, get, nil)
	x.asks("Mouse was found, but the last document has none", "zoo.example.com/v1 Mouse", nobody, get, nil)
	x.asks("two Finds of others found none", "zoo.example.com/v1 Owl", "zoo.example.com/v1 owls", "no request", nil)
	x.set(path, "")
	x.asks("Owl was found, then the group goes", "zoo.example.com/v1 Frog", nobody, get, nil)
	x.asks("Owl was found, but the last answer was a 404", "zoo.example.com/v1 Owl", nobody, get, nil)
}

func TestAFailureIsNoAnswer(t *testing.T) {
	exercise.Attempted(t)
	const path, get = "/apis/zoo.example.com/v1", "GET /apis/zoo.example.com/v1"
	refused := errors.New("connection refused")
	for _, failure := range []struct {
		name   string
		answer answer
	}{
		{"an answer 503", answer{err: fmt.Errorf("GET: %w", status(http.StatusServiceUnavailable))}},
		{"an answer 403", answer{err: fmt.Errorf("GET: %w", status(http.StatusForbidden))}},
		{"a connection refused", answer{err: refused}},
		{"half a document", answer{body: string(document(path, documents[path])[:300])}},
		{"a page of HTML", answer{body: "<html><body>Please log in</body></html>"}},
	} {
		x := begin(t)
		x.answers[path] = failure.answer
		_, err := x.finder.Find(kindOf("zoo.example.com/v1 Mouse"))
		exercise.Expect(t, err != nil && !meta.IsNoMatchError(err), exercise.Verdict{
			Expected: fmt.Sprintf("%s: Find returns an error that meta.IsNoMatchError does not recognise", failure.name),
			Happened: "it returned " + found(Resource{}, err),
		})
		exercise.Expect(t, failure.answer.err == nil || errors.Is(err, failure.answer.err), exercise.Verdict{
			Expected: fmt.Sprintf("%s: errors.Is finds what Get returned in what Find returns", failure.name),
			Happened: fmt.Sprintf("it does not, in: %v", err),
		})
		delete(x.answers, path)
		const says = "the belief that a failure says what the server has. The next request may be answered"
		stays := clues{nobody + unasked: says, found(Resource{}, err) + unasked: says}
		x.asks("after "+failure.name, "zoo.example.com/v1 Mouse", "zoo.example.com/v1 mice", get, stays)
		x.answers[path] = failure.answer
		_, err = x.finder.Find(kindOf("zoo.example.com/v1 Frog"))
		exercise.Expect(t, err != nil && !meta.IsNoMatchError(err), exercise.Verdict{
			Expected: fmt.Sprintf("Mouse was found, then %s in a Find of Frog: an error that meta.IsNoMatchError does not "+
				"recognise", failure.name),
			Happened: "it returned " + found(Resource{}, err),
		})
		x.asks("Mouse was found, then a Find of Frog met "+failure.name, "zoo.example.com/v1 Mouse",
			"zoo.example.com/v1 mice", "no request", nil)
	}
}

func TestManyAtOnce(t *testing.T) {
	exercise.Attempted(t)
	x := begin(t)
	kinds := map[string]string{"v1 Pod": "v1 pods", "v1 Node": "v1 nodes, cluster-scoped", "v1 Frog": nobody,
		"apps/v1 Deployment": "apps/v1 deployments", "zoo.example.com/v1 Mouse": "zoo.example.com/v1 mice"}
	var callers sync.WaitGroup
	for range 20 {
		for kind, want := range kinds {
			callers.Go(func() {
				if got := found(x.finder.Find(kindOf(kind))); got != want {
					exercise.Report(t, exercise.Verdict{
						Expected: fmt.Sprintf("100 goroutines call Find; for %s: %s", kind, want),
						Happened: "it found " + got})
				}
			})
		}
	}
	callers.Wait()
}

func TestNoRequestHoldsUpWhatIsKnown(t *testing.T) {
	exercise.Attempted(t, exercise.HangMeans("the belief that a lock has to be held over a request. "+
		"What it guards is needed before and after"))
	for _, kind := range []string{"zoo.example.com/v2 Mouse", "zoo.example.com/v1 Frog"} {
		x := begin(t)
		x.finds("zoo.example.com/v1 Mouse", "zoo.example.com/v1 mice", nil)
		got := "nothing: no request was sent for " + kind
		x.during = func(string) { // the request is not answered before
			x.during = func(string) {}
			got = found(x.finder.Find(kindOf("zoo.example.com/v1 Mouse")))
		}
		_, _ = x.finder.Find(kindOf(kind))
		exercise.Expect(t, got == "zoo.example.com/v1 mice", exercise.Verdict{
			Expected: "while a request for " + kind + " is under way, Find of Mouse, which is known: zoo.example.com/v1 mice",
			Happened: got})
	}
}

func TestPaths(t *testing.T) {
	exercise.Attempted(t)
	legacy := clues{}
	for _, wrong := range []string{"/apis/v1/", "/apis//v1/", "/apis/core/v1/"} {
		for _, rest := range []string{"namespaces/north/pods/web", "namespaces/north/pods", "pods", "nodes/east",
			"nodes"} {
			legacy[wrong+rest] = "the belief that all groups are below /apis. The first one is older than groups"
		}
	}
	leads(t, pods, "north", "web", "/api/v1/namespaces/north/pods/web", legacy)
	leads(t, pods, "north", "", "/api/v1/namespaces/north/pods", legacy)
	leads(t, pods, "", "", "/api/v1/pods", legacy)
	leads(t, deployments, "north", "web", "/apis/apps/v1/namespaces/north/deployments/web", nil)
	leads(t, deployments, "north", "", "/apis/apps/v1/namespaces/north/deployments", nil)
	leads(t, deployments, "", "", "/apis/apps/v1/deployments", nil)
	leads(t, nodes, "", "east", "/api/v1/nodes/east", legacy)
	leads(t, nodes, "", "", "/api/v1/nodes", legacy)
	leads(t, roles, "", "admin", "/apis/rbac.authorization.k8s.io/v1/clusterroles/admin", nil)
}

func TestClusterScoped(t *testing.T) {
	exercise.Attempted(t)
	leads(t, nodes, "north", "east", "/api/v1/nodes/east", clues{
		"/api/v1/namespaces/north/nodes/east": "the belief that whoever gives a namespace is in one. The kind decides"})
	leads(t, nodes, "north", "", "/api/v1/nodes", nil)
	leads(t, roles, "north", "admin", "/apis/rbac.authorization.k8s.io/v1/clusterroles/admin", nil)
}

func TestNoPathWithoutItsNamespace(t *testing.T) {
	exercise.Attempted(t)
	refuses(t, pods, "", "web", clues{"/api/v1/namespaces/default/pods/web": "the belief that no namespace is " +
		"the namespace default. That is kubectl's doing, and nobody else's"})
	refuses(t, deployments, "", "web", nil)
}

func TestSegmentsAreEscaped(t *testing.T) {
	exercise.Attempted(t)
	const base = "/apis/rbac.authorization.k8s.io/v1/clusterroles/"
	leads(t, roles, "", "system:node", base+"system:node", nil)
	leads(t, roles, "", "who? #1", base+"who? #1", clues{base + "who?+#1": "the belief that a path is escaped as " +
		"a query is. A plus in a path is a plus"})
	leads(t, roles, "", "1+1=2&2", base+"1+1=2&2", nil)
	leads(t, roles, "", "what?", base+"what?", nil)
	leads(t, roles, "", "küche", base+"küche", nil)
	leads(t, roles, "", "a;b,c", base+"a;b,c", nil)
	leads(t, roles, "", "a..b.", base+"a..b.", nil)
	leads(t, pods, "so what?", "web", "/api/v1/namespaces/so what?/pods/web", nil)
}

func TestWhatIsNoSegment(t *testing.T) {
	exercise.Attempted(t)
	for _, s := range []string{".", "..", "a/b", "../secrets/key", "/", "a%2Fb", "100%"} {
		refuses(t, roles, "", s, nil)
		refuses(t, pods, "north", s, nil)
		refuses(t, pods, s, "web", nil)
		refuses(t, pods, s, "", nil)
	}
}
