// Misconception: whoever fills in a list fills in its items.
// Caught by: TestDefaultsOfAList
// Message: the belief that Default looks inside a list
// Removes: fillList

//go:build wrong

package scheme

func AddToScheme(s *Scheme) {
	s.AddKnownTypes(GroupVersion, &Process{}, &ProcessList{})
	s.AddTypeDefaultingFunc(&Process{}, func(object any) { fillProcess(object.(*Process)) })
}
