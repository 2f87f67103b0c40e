// Package restmapper knows where the objects of a kind are: the API server's URLs name resources ("processes"), objects
// name kinds ("Process"), and nothing but the server's discovery says which belong together, whether namespaces are in
// between, and what may be done there.
//
// [Mapper] implements [meta.RESTMapper]. Upstream has two. What restmapper.NewDeferredDiscoveryRESTMapper makes, in
// k8s.io/client-go/restmapper/discovery.go, asks for everything and keeps it until somebody calls Reset. What
// apiutil.NewDynamicRESTMapper makes, in sigs.k8s.io/controller-runtime/pkg/client/apiutil/restmapper.go, asks again
// for what it does not know, as Mapper does. That is why the objects of a CustomResourceDefinition can be reached
// although it was installed after the program began.
//
// Reading order: what a mapping is good for (url.go), what one group version serves (table.go), how one answer of the
// server's is kept and shared (answer.go), where the server is asked (discovery.go), which group versions can answer a
// question (question.go), how that becomes a mapper (mapper.go), and the methods (kinds.go,
// resources.go).
//
// Left out: aggregated discovery, in which two requests bring every group version at once; kinds that upstream guesses
// although discovery does not have them (a ProcessList whose resource would be processlists, a kind in lower case);
// short names and categories, which are kubectl's; and contexts: a client's Timeout bounds each request.
package restmapper
