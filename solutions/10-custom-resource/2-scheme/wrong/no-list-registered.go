// Misconception: the list of a kind needs no registration.
// Caught by: TestAddToScheme
// Message: the belief that a kind brings its list with it

//go:build wrong

package scheme

func AddToScheme(s *Scheme) {
	s.AddKnownTypes(GroupVersion, &Process{})
	s.AddTypeDefaultingFunc(&Process{}, func(object any) { fillProcess(object.(*Process)) })
	s.AddTypeDefaultingFunc(&ProcessList{}, func(object any) { fillList(object.(*ProcessList)) })
}
